package io.ecfs.sim.network;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Futures;
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
    public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        SimCall call = call(connection(to), new Envelope(request, payload), timeout);
        network.send(List.of(call));
        return call.result();
    }

    @Override
    public List<CompletableFuture<Envelope>> callAll(Address to, List<ChunkRequest.ReadChunk> reads, Duration timeout) {
        SimConnection connection = connection(to);
        List<SimCall> message = reads.stream()
                .map(read -> call(connection, Envelope.of(read), timeout))
                .toList();
        network.send(message);
        return message.stream().map(SimCall::result).toList();
    }

    private SimConnection connection(Address to) {
        return connections.compute(
                to.toString(),
                (address, open) -> open != null && !open.broken() ? open : new SimConnection(process, session, to));
    }

    private SimCall call(SimConnection connection, Envelope request, Duration timeout) {
        SimCall call = new SimCall(connection, session, network.frame(request));
        process.after(
                timeout.toNanos(),
                () -> call.fail(ErrorCode.TIMEOUT, "no answer from " + connection.to() + " in " + timeout));
        if (request.head() instanceof ChunkRequest.ReadChunk) {
            Futures.whenCancelled(call.result(), () -> network.callOff(call));
        }
        return call;
    }

    @Override
    public void close() {
        connections.values().forEach(connection -> connection.breakOff(0));
    }
}
