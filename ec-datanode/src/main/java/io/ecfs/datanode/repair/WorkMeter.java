package io.ecfs.datanode.repair;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.chunk.RebuildWork.Phase;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures the rebuild of one chunk, or the filling of one: time by phase, bytes by source. Its steps run on several
 * threads, one after the other; the answer may be taken from yet another.
 */
final class WorkMeter {
    /** Phases of a slice. */
    enum Step {
        READ,
        DECODE,
        VERIFY,
        WRITE
    }

    private final Clock clock;
    private final long begunNanos;

    @GuardedBy("this")
    private final Map<Step, Phase> phases = new EnumMap<>(Step.class);

    @GuardedBy("this")
    private final TreeMap<Integer, RebuildWork.Source> sources = new TreeMap<>();

    @GuardedBy("this")
    private long bytesRead;

    @GuardedBy("this")
    private long bytesRepaired;

    WorkMeter(Clock clock) {
        this.clock = clock;
        this.begunNanos = clock.nanos();
    }

    long nanos() {
        return clock.nanos();
    }

    /** A step that began at {@code sinceNanos} ends now. */
    synchronized void ended(Step step, long sinceNanos) {
        long now = clock.nanos();
        Phase before = phases.getOrDefault(step, Phase.NONE);
        phases.put(step, new Phase(before.busyMicros() + (now - sinceNanos) / 1_000, (now - begunNanos) / 1_000_000));
    }

    synchronized void asked(int index, DatanodeId datanode, long bytes) {
        RebuildWork.Source before = sources.get(index);
        sources.put(index, new RebuildWork.Source(index, datanode, bytes + (before == null ? 0 : before.bytes())));
        bytesRead += bytes;
    }

    synchronized void wrote(long bytes) {
        bytesRepaired += bytes;
    }

    /** All so far. */
    synchronized RebuildWork work() {
        return new RebuildWork(
                (clock.nanos() - begunNanos) / 1_000_000,
                phase(Step.READ),
                phase(Step.DECODE),
                phase(Step.VERIFY),
                phase(Step.WRITE),
                bytesRead,
                bytesRepaired,
                sources.values().stream().toList());
    }

    @GuardedBy("this")
    private Phase phase(Step step) {
        return phases.getOrDefault(step, Phase.NONE);
    }
}
