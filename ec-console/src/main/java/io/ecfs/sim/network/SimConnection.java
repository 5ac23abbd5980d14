package io.ecfs.sim.network;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.wire.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One connection of one process: requests arrive in order until it breaks; then a new one takes its place. */
final class SimConnection {
    private final SimProcess from;
    private final Session session;
    private final Address to;
    private final Set<SimCall> pending = new LinkedHashSet<>();
    private long lastArrivalNanos;
    private boolean broken;

    /** @param session what the greeting says, its remote address names the host */
    SimConnection(SimProcess from, Session session, Address to) {
        this.from = from;
        this.session = session;
        this.to = to;
    }

    SimProcess from() {
        return from;
    }

    String fromHost() {
        return session.remote().host();
    }

    Session session() {
        return session;
    }

    Address to() {
        return to;
    }

    boolean broken() {
        return broken;
    }

    void add(SimCall call) {
        pending.add(call);
    }

    void remove(SimCall call) {
        pending.remove(call);
    }

    /** When a request that would come at {@code nanos} comes: not before those sent earlier. */
    long inOrder(long nanos) {
        lastArrivalNanos = Math.max(lastArrivalNanos, nanos);
        return lastArrivalNanos;
    }

    /** Nothing arrives on it any more, and neither end has noticed yet: calls under way wait for their timeouts. */
    void fallSilent() {
        broken = true;
    }

    /** Breaks, and the caller notices after {@code delayNanos}. */
    void breakOff(long delayNanos) {
        broken = true;
        List<SimCall> lost = List.copyOf(pending);
        from.after(
                delayNanos,
                () -> lost.forEach(call -> call.fail(
                        ErrorCode.CONNECTION_LOST, "connection to " + to + " broke: the outcome is unknown")));
    }
}
