package io.ecfs.namenode.context;

import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.settings.RepairThrottles;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.user.RequestRights;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Dependencies of every service of a namenode: the ports to time, threads and randomness, the event thread, the
 * settings and the facts of the log. Owner thread: the namenode's event thread.
 */
public record NamenodeContext(
        Environment environment, Scheduler scheduler, NamenodeSettings settings, Supplier<MetadataView> facts) {

    public long nowMillis() {
        return environment.clock().nanos() / 1_000_000;
    }

    /** Converts a monotonic moment for people and for the history. */
    public long epochOf(long monotonicMillis) {
        return epochMillis() - (nowMillis() - monotonicMillis);
    }

    /** Converts a moment for people to a monotonic one. */
    public long monotonicOf(long epochMillis) {
        return nowMillis() - (epochMillis() - epochMillis);
    }

    public long epochMillis() {
        return environment.clock().epochMillis();
    }

    public boolean passed(Duration time, long sinceMillis) {
        return nowMillis() - sinceMillis >= time.toMillis();
    }

    public RepairThrottles throttles(MetadataView view) {
        return RepairThrottles.of(view, settings.recovery());
    }

    /**
     * @throws EcfsException {@code ACCESS_DENIED} for what the superuser alone may ask; before the cluster is formatted
     *     nothing is refused
     */
    public void requireRight(CallerIdentity caller, NamespaceRequest request) throws EcfsException {
        if (RequestRights.superuserOnly(request)) {
            try (MetadataView view = facts.get()) {
                Optional<ClusterIdentity> identity = view.identity();
                if (identity.isPresent()) {
                    RequestRights.require(identity.get(), caller, request);
                }
            }
        }
    }
}
