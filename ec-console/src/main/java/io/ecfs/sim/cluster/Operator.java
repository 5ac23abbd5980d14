package io.ecfs.sim.cluster;

import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.sim.time.SimulationFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Takes datanodes out of service and back, one at a time. Its calls get lost like everybody's: a datanode counts as out
 * of service from the call that may take it out until one that takes it back is acknowledged.
 */
public final class Operator {
    private static final Duration LONGEST_MAINTENANCE = Duration.ofSeconds(15);

    private final EcfsClient client;
    private final SplittableRandom random;
    private Optional<DatanodeHost> out = Optional.empty();
    private boolean asking;

    public Operator(EcfsClient client, SplittableRandom random) {
        this.client = client;
        this.random = random;
    }

    /** The one that may be out of service. */
    public Optional<DatanodeHost> out() {
        return out;
    }

    public boolean asking() {
        return asking;
    }

    /** Has a datanode decommissioned, or puts it into maintenance for a while or for good. */
    public void takeOut(DatanodeHost datanode) {
        out = Optional.of(datanode);
        if (random.nextInt(3) > 0) {
            ask(datanode.id(), AdminState.State.DECOMMISSIONING, Optional.empty());
        } else {
            Optional<Duration> time = random.nextBoolean()
                    ? Optional.of(Duration.ofMillis(1 + random.nextLong(LONGEST_MAINTENANCE.toMillis())))
                    : Optional.empty();
            ask(datanode.id(), AdminState.State.IN_MAINTENANCE, time);
        }
    }

    public void decommission(DatanodeHost datanode) {
        out = Optional.of(datanode);
        ask(datanode.id(), AdminState.State.DECOMMISSIONING, Optional.empty());
    }

    public void takeBack() {
        out.ifPresent(datanode -> ask(datanode.id(), AdminState.State.IN_SERVICE, Optional.empty()));
    }

    private void ask(DatanodeId datanode, AdminState.State wanted, Optional<Duration> time) {
        asking = true;
        client.admin().setDuty(datanode, wanted, time).whenComplete((done, failure) -> {
            asking = false;
            if (failure == null && wanted == AdminState.State.IN_SERVICE) {
                out = Optional.empty();
            } else if (failure != null) {
                tolerate(EcfsException.of(failure));
            }
        });
    }

    /**
     * One that leaves goes into no maintenance, and one that never registered is not known yet; all else only gets
     * lost.
     */
    private static void tolerate(EcfsException e) {
        boolean refused = e.code() == ErrorCode.INVALID_ARGUMENT || e.code() == ErrorCode.NOT_FOUND;
        SimulationFailure.check(
                e.code().retryable() || refused, "a datanode cannot be taken out of service: %s", e.getMessage());
    }
}
