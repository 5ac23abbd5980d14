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
 * Groups that this client reads together, reported to all namenodes periodically (ec-store paper, V-A): each request
 * for several blocks is a set, and so are files that are opened within a moment. Cheap and lossy: of many sets a sample
 * is reported, with the number of requests that each stands for, and lost reports are not repeated. Safe for use by
 * several threads.
 */
public final class AccessSamples {
    /** Interval of the reports. */
    private static final Duration FLUSH = Duration.ofSeconds(1);

    /** Files opened within so long of the first one count as opened together. */
    private static final long TOGETHER_NANOS = Duration.ofMillis(100).toNanos();

    /** Most sets in one message; more are sampled. */
    static final int MOST_SETS = 200;

    private final Clock clock;
    private final Scheduler scheduler;
    private final Consumer<NamespaceRequest.ReportAccesses> tell;

    @GuardedBy("this")
    private final List<List<GroupId>> sample = new ArrayList<>();

    @GuardedBy("this")
    private Set<GroupId> opened = new LinkedHashSet<>();

    @GuardedBy("this")
    private long openedNanos;

    @GuardedBy("this")
    private long seen;

    @GuardedBy("this")
    private boolean scheduled;

    /** @param tell sends a message to every namenode without waiting for an answer */
    public AccessSamples(Clock clock, Scheduler scheduler, Consumer<NamespaceRequest.ReportAccesses> tell) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.tell = tell;
    }

    /** Counts the groups that one request read. */
    public synchronized void together(Collection<GroupId> groups) {
        if (groups.isEmpty()) {
            return;
        }
        seen++;
        List<GroupId> set =
                groups.stream().distinct().limit(AccessSet.MAX_GROUPS).toList();
        if (sample.size() < MOST_SETS) {
            sample.add(set);
        } else if (seen % (seen / MOST_SETS + 1) == 0) {
            sample.set((int) (seen % MOST_SETS), set);
        }
        schedule();
    }

    /** Counts a file with these groups that was opened to be read. */
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
            int weight = (int) Math.max(1, Math.min(AccessSet.MAX_WEIGHT, seen / Math.max(1, sample.size())));
            sample.forEach(set -> sets.add(new AccessSet(set, weight)));
            sample.clear();
            seen = 0;
            scheduled = false;
        }
        tell.accept(new NamespaceRequest.ReportAccesses(sets));
    }
}
