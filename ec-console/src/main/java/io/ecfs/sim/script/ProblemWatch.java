package io.ecfs.sim.script;

import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.report.FileProblem;
import io.ecfs.sim.cluster.World;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** Asks the leader for what is not healthy, as {@code ecfs fsck} does, again and again. */
final class ProblemWatch {
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final int PAGE = 1000;

    private final World world;
    private final ScriptedClient client;
    private final Set<GroupId> lost = new TreeSet<>();
    private long healthyNanos = -1;

    ProblemWatch(World world, ScriptedClient client) {
        this.world = world;
        this.client = client;
    }

    void start() {
        long asked = world.time().nanos();
        client.client()
                .admin()
                .problems(FilePath.ROOT, true, 0, PAGE)
                .thenCombine(client.client().admin().problems(FilePath.ROOT, false, 0, PAGE), (gone, degraded) -> {
                    note(asked, gone, degraded);
                    return asked;
                })
                // Without a leader there is no answer; the next question may have one.
                .whenComplete((done, failure) -> world.time().after(EVERY.toNanos(), this::start));
    }

    private void note(long asked, NamespaceReply.Problems gone, NamespaceReply.Problems degraded) {
        gone.problems().stream().map(FileProblem::group).forEach(lost::add);
        if (gone.problems().isEmpty() && degraded.problems().isEmpty()) {
            healthyNanos = asked;
        }
    }

    /** Groups that were lost at any time. */
    Set<GroupId> lost() {
        return lost;
    }

    /** Returns whether nothing was wrong at some time after this one. */
    boolean healthySince(long nanos) {
        return healthyNanos > nanos;
    }
}
