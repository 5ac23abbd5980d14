package io.ecfs.client.base;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.AccessSet;
import io.ecfs.message.namespace.NamespaceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which groups this client reads together, told to all namenodes now and then (ec-store paper, V-A): each request for
 * several blocks is a set, and so are files that are opened within a moment. Cheap and lossy: of many sets a sample is
 * told, with the number of requests that each stands for, and what gets lost on the way stays lost. Safe for use by
 * several threads.
 */
public final class AccessSamples {
    /** Sets of that long are told in one message. */
    private static final Duration FLUSH = Duration.ofSeconds(1);

    /** Files that are opened within so long of the first one are opened together. */
    private static final long TOGETHER_NANOS = Duration.ofMillis(100).toNanos();

    /** Sets in one message; of more of them a sample. */
    static final int MOST_SETS = 200;

    private final Clock clock;
    private final Scheduler scheduler;
    private final Consumer<NamespaceRequest.ReportAccesses> tell;
    @GuardedBy("this")
    private final List<List<GroupId>> kept = new ArrayList<>();
    @GuardedBy("this")
    private Set<GroupId> opened = new LinkedHashSet<>();
    @GuardedBy("this")
    private long openedNanos;
    @GuardedBy("this")
    private long seen;
    @GuardedBy("this")
    private boolean scheduled;

    /** @param tell sends a message to every namenode and waits for no answer */
    public AccessSamples(Clock clock, Scheduler scheduler, Consumer<NamespaceRequest.ReportAccesses> tell) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.tell = tell;
    }

    /** One request read these. */
    public synchronized void together(Collection<GroupId> groups) {
        if (groups.isEmpty()) {
            return;
        }
        seen++;
        List<GroupId> set =
                groups.stream().distinct().limit(AccessSet.MAX_GROUPS).toList();
        if (kept.size() < MOST_SETS) {
            kept.add(set);
        } else if (seen % (seen / MOST_SETS + 1) == 0) {
            kept.set((int) (seen % MOST_SETS), set);
        }
        schedule();
    }

    /** A file with these groups was opened to be read. */
    public synchronized void opened(Collection<GroupId> groups) {
        if (groups.isEmpty()) {
            return;
        }
        if (!opened.isEmpty() && clock.nanos() - openedNanos > TOGETHER_NANOS) {
            endOpened();
        }
        if (opened.isEmpty()) {
            openedNanos = clock.nanos();
        }
        opened.addAll(groups.stream().limit(AccessSet.MAX_GROUPS).toList());
        schedule();
    }

    @GuardedBy("this")
    private void endOpened() {
        Set<GroupId> set = opened;
        opened = new LinkedHashSet<>();
        together(set);
    }

    @GuardedBy("this")
    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            scheduler.schedule(FLUSH, this::flush);
        }
    }

    private void flush() {
        List<AccessSet> sets = new ArrayList<>();
        synchronized (this) {
            endOpened();
            int weight = (int) Math.max(1, Math.min(AccessSet.MAX_WEIGHT, seen / Math.max(1, kept.size())));
            kept.forEach(set -> sets.add(new AccessSet(set, weight)));
            kept.clear();
            seen = 0;
            scheduled = false;
        }
        tell.accept(new NamespaceRequest.ReportAccesses(sets));
    }
}
