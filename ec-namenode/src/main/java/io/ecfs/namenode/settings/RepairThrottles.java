package io.ecfs.namenode.settings;

import io.ecfs.message.Throttles;
import io.ecfs.message.Throttles.Throttle;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.state.MetadataView;
import java.util.Optional;

/**
 * Throttles of reconstruction in force: the values that operators set, which are in the log, and otherwise the
 * configured ones.
 */
public record RepairThrottles(int atOnce, int perDatanode, Optional<Long> bytesPerSecond) {
    public static RepairThrottles of(MetadataView view, RecoverySettings configured) {
        return new RepairThrottles(
                set(view, Counter.REPAIRS_AT_ONCE).map(Math::toIntExact).orElse(configured.atOnce()),
                set(view, Counter.REPAIRS_PER_DATANODE).map(Math::toIntExact).orElse(configured.perDatanode()),
                set(view, Counter.REPAIR_BYTES_PER_SECOND));
    }

    /** Returns whether nothing is to be rebuilt or moved. */
    public boolean off() {
        return atOnce == 0;
    }

    /** The throttles for operators. */
    public static Throttles report(MetadataView view, RecoverySettings configured) {
        return new Throttles(
                throttle(set(view, Counter.REPAIRS_AT_ONCE), configured.atOnce()),
                throttle(set(view, Counter.REPAIRS_PER_DATANODE), configured.perDatanode()),
                throttle(set(view, Counter.REPAIR_BYTES_PER_SECOND), Throttles.AT_EACH_DATANODE));
    }

    private static Throttle throttle(Optional<Long> set, long configured) {
        return new Throttle(set.orElse(configured), configured, set.isPresent());
    }

    private static Optional<Long> set(MetadataView view, Counter counter) {
        return Optional.of(view.count(counter) - 1).filter(value -> value >= 0);
    }
}
