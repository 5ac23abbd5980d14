package io.ecfs.console.sim;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Parcel;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The calls of one process: one connection to each address, a new one when it broke. */
final class SimCaller implements Caller {
    private final SimNetwork network;
    private final SimProcess process;
    private final Session session;
    private final TreeMap<String, SimConnection> connections = new TreeMap<>();

    SimCaller(SimNetwork network, SimProcess process, Session session) {
        this.network = network;
        this.process = process;
        this.session = session;
    }

    List<SimConnection> connections() {
        return List.copyOf(connections.values());
    }

    boolean alive() {
        return process.alive();
    }

    @Override
    public CompletableFuture<Parcel> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        SimFrame frame = network.frame(new Parcel(request, payload));
        SimConnection connection = connections.compute(
                to.toString(),
                (address, open) -> open != null && !open.broken()
                        ? open
                        : new SimConnection(process, session.remote().host(), to));
        SimCall call = new SimCall(connection, session, frame);
        process.after(timeout.toNanos(), () -> call.fail(ErrorCode.TIMEOUT, "no answer from " + to + " in " + timeout));
        network.send(call);
        return call.result();
    }

    @Override
    public void close() {
        connections.values().forEach(connection -> connection.breakOff(0));
    }
}
