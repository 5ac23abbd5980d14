package io.ecfs.client.write.route;

import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How busy each datanode is that encoded for this client: the time that it let a byte wait beside encoding and sending
 * it, as an exponentially weighted mean. A load is forgotten by half in each half-life, so that a datanode that was
 * busy is asked again. Also when each answered last: one that answers other writers is busy, not silent. Also the
 * choice of the bed of writes in virtual time. Owned by the client's owner thread.
 */
public final class MasterLoads {
    /** Weight of the latest cell. */
    private static final double LATEST = 0.2;

    private static final Duration HALF_LIFE = Duration.ofSeconds(5);

    private record Load(double microsPerByte, long atNanos) {}

    private final Clock clock;
    private final Map<DatanodeId, Load> loads = new HashMap<>();
    private final Map<DatanodeId, Long> answers = new HashMap<>(); // the latest one, by the clock

    public MasterLoads(Clock clock) {
        this.clock = clock;
    }

    /**
     * A cell was answered.
     *
     * @param managingMicros as the datanode measured it, of the cell's stripe
     * @param bytes of user data in that stripe
     */
    public void took(DatanodeId datanode, int managingMicros, long bytes) {
        double before = of(datanode);
        double now = (double) managingMicros / bytes;
        loads.put(datanode, new Load(before + LATEST * (now - before), clock.nanos()));
    }

    /** A datanode answered one of this client's writers. */
    void answered(DatanodeId datanode) {
        answers.put(datanode, clock.nanos());
    }

    /**
     * Nanoseconds in which a datanode answered nobody.
     *
     * @param since the clock when it was asked
     */
    long silence(DatanodeId datanode, long since) {
        long now = clock.nanos();
        long own = now - since;
        Long latest = answers.get(datanode);
        return latest == null ? own : Math.min(own, now - latest);
    }

    /** The less loaded one; the first one when they are equally so, or not known. */
    public DatanodeId lessLoaded(DatanodeId first, DatanodeId second) {
        return of(second) < of(first) ? second : first;
    }

    /** Microseconds a byte; 0 for one that is not known. */
    private double of(DatanodeId datanode) {
        Load load = loads.get(datanode);
        if (load == null) {
            return 0;
        }
        double halfLives = (double) (clock.nanos() - load.atNanos()) / HALF_LIFE.toNanos();
        return load.microsPerByte() * Math.pow(0.5, halfLives);
    }
}
