package io.ecfs.sim.network;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Failure;
import io.ecfs.message.Message;
import io.ecfs.sim.time.EventTrace;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.sim.time.VirtualTime;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Handler;
import io.ecfs.wire.Session;
import io.ecfs.wire.codec.MessageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The network of a simulated world, with the promises of {@link Caller} and no others: requests of one connection
 * arrive in order, those of one message together, answers in any, different connections overtake each other; a
 * connection that breaks leaves open what of it arrived, and what was under way may still arrive seconds later, behind
 * what was sent on the next one.
 */
public final class SimNetwork {
    private static final long MILLI = 1_000_000;
    private static final long USUAL_DELAY = MILLI;
    private static final long SLOW_DELAY = 3_000 * MILLI;
    /** The longest delay of a straggler of a broken connection, or of a repeated request. */
    private static final long LATE = 10_000 * MILLI;

    private final VirtualTime time;
    private final EventTrace trace;
    private final SplittableRandom random;
    private final MessageCodec codec = new MessageCodec();
    private final TreeMap<String, Server> servers = new TreeMap<>();
    private final List<SimCaller> callers = new ArrayList<>();
    private final TreeSet<String> isolated = new TreeSet<>();
    private final TreeSet<String> cuts = new TreeSet<>();
    private final TreeSet<String> deaf = new TreeSet<>();
    private final TreeSet<String> mute = new TreeSet<>();
    private final TreeMap<String, LinkFault> links = new TreeMap<>();
    private Consumer<Message> watcher = message -> {};
    private Optional<Consumer<Message>> witness = Optional.empty();
    private NetworkWeather weather = NetworkWeather.FAIR;
    private long delivered;

    private record Server(SimProcess process, Handler handler) {}

    public SimNetwork(VirtualTime time, EventTrace trace, SplittableRandom random) {
        this.time = time;
        this.trace = trace;
        this.random = random;
    }

    public void weather(NetworkWeather now) {
        weather = now;
    }

    /** Tells of every answer before it arrives. */
    public void watch(Consumer<Message> newWatcher) {
        watcher = newWatcher;
    }

    /** Tells of every request and answer when it is sent. */
    public void watchSent(Consumer<Message> newWitness) {
        witness = Optional.of(newWitness);
    }

    /** Number of messages that arrived. */
    public long delivered() {
        return delivered;
    }

    /** The process answers at this address while it lives. */
    public void serve(Address address, SimProcess process, Handler handler) {
        servers.put(address.toString(), new Server(process, handler));
    }

    /** A caller for one process; the session is what its greeting says, its remote address names the host. */
    public Caller caller(SimProcess process, Session session) {
        SimCaller caller = new SimCaller(this, process, session);
        callers.add(caller);
        return caller;
    }

    /** Nothing gets to the host or from it, until {@link #heal}. */
    public void isolate(String host) {
        isolated.add(host);
    }

    /** Takes back {@link #isolate}, and no other cut. */
    public void rejoin(String host) {
        isolated.remove(host);
    }

    /** Whether anything gets to the host. */
    public void receives(String host, boolean any) {
        set(deaf, host, !any);
    }

    /** Whether anything that the host sends arrives. */
    public void sends(String host, boolean any) {
        set(mute, host, !any);
    }

    private static void set(Set<String> hosts, String host, boolean member) {
        if (member) {
            hosts.add(host);
        } else {
            hosts.remove(host);
        }
    }

    /** What the host sends and gets is late; with {@link LinkFault#NONE} as usual again. */
    public void link(String host, LinkFault fault) {
        links.put(host, fault);
    }

    /** Nothing gets from one host to the other, in both directions. */
    public void cut(String oneHost, String otherHost) {
        cuts.add(link(oneHost, otherHost));
    }

    public void join(String oneHost, String otherHost) {
        cuts.remove(link(oneHost, otherHost));
    }

    public void heal(String host) {
        isolated.remove(host);
        cuts.removeIf(link -> link.startsWith(host + "|") || link.endsWith("|" + host));
    }

    public void healAll() {
        isolated.clear();
        cuts.clear();
        deaf.clear();
        mute.clear();
        links.clear();
        weather = NetworkWeather.FAIR;
    }

    /** The host's process is gone: what it had sent arrives or not, and its callers notice after a moment. */
    public void processGone(String host) {
        callers.stream()
                .flatMap(caller -> caller.connections().stream())
                .filter(connection -> !connection.from().alive() && random.nextBoolean())
                .forEach(SimConnection::fallSilent);
        callers.stream()
                .flatMap(caller -> caller.connections().stream())
                .filter(connection -> !connection.from().alive())
                .forEach(this::closedAtServer);
        callers.removeIf(caller -> !caller.alive());
        callers.stream()
                .flatMap(caller -> caller.connections().stream())
                .filter(connection -> connection.to().host().equals(host) && !connection.broken())
                .forEach(this::breakOff);
    }

    SimFrame frame(Envelope envelope) {
        return SimFrame.of(codec, envelope);
    }

    /** Puts the requests of one message on their way, behind those before it on the connection. */
    void send(List<SimCall> message) {
        SimConnection connection = message.get(0).connection();
        witness.ifPresent(observer ->
                message.forEach(call -> observer.accept(call.request().message(codec))));
        long arrival = connection.inOrder(time.nanos() + delay(connection));
        time.at(arrival, () -> arrive(connection, message));
        if (happens(weather.repeats())) {
            time.at(arrival + random.nextLong(LATE), () -> deliver(connection, message, false));
        }
        if (happens(weather.breaks())) {
            time.after(random.nextLong(2 * USUAL_DELAY), () -> breakOff(connection));
        }
    }

    private void arrive(SimConnection connection, List<SimCall> message) {
        if (connection.broken()) {
            // Of a broken connection some requests are lost, and some are still read by the other side.
            if (random.nextInt(3) == 0) {
                time.after(random.nextLong(LATE), () -> deliver(connection, message, false));
            }
        } else if (!asks(connection)) {
            // Neither end notices at once; what follows on this connection cannot arrive either.
            connection.fallSilent();
        } else {
            deliver(connection, message, true);
        }
    }

    /**
     * Sends a cancel to the server, behind what was sent before; to that there is no
     * answer.
     */
    void callOff(SimCall call) {
        SimConnection connection = call.connection();
        connection.remove(call);
        time.at(connection.inOrder(time.nanos() + delay(connection)), () -> {
            Server server = servers.get(connection.to().toString());
            if (!connection.broken()
                    && asks(connection)
                    && server != null
                    && server.process().alive()) {
                server.process().whenRunning(call::callOff);
            }
        });
    }

    private void deliver(SimConnection connection, List<SimCall> message, boolean awaited) {
        Address to = connection.to();
        Server server = servers.get(to.toString());
        if (server == null || !server.process().alive()) {
            if (awaited) {
                connection
                        .from()
                        .after(
                                delay(connection),
                                () -> message.forEach(call -> call.fail(ErrorCode.UNREACHABLE, "no process at " + to)));
            }
        } else if (asks(connection)) {
            delivered++;
            message.forEach(call -> trace.mark(call.request().head()));
            server.process().whenRunning(() -> handle(server, message, awaited));
        }
    }

    private void handle(Server server, List<SimCall> message, boolean awaited) {
        Session session = message.get(0).session();
        List<Envelope> requests =
                message.stream().map(call -> call.request().envelope(codec)).toList();
        List<? extends CompletionStage<Envelope>> stages = requests.size() == 1
                ? List.of(server.handler().handle(session, requests.get(0)))
                : server.handler().handleAll(session, requests);
        for (int i = 0; i < stages.size(); i++) {
            SimCall call = message.get(i);
            if (awaited) {
                call.begun(stages.get(i));
            }
            answerLater(server, call, stages.get(i), awaited);
        }
    }

    private void answerLater(Server server, SimCall call, CompletionStage<Envelope> stage, boolean awaited) {
        stage.whenComplete((answer, failure) -> {
            if (failure instanceof CancellationException && call.calledOff()) {
                return;
            }
            if (failure != null) {
                Envelope refusal = refusal(call, failure);
                if (awaited) {
                    answer(server, call, refusal);
                }
            } else if (awaited) {
                answer(server, call, answer);
            } else {
                answer.release();
            }
        });
    }

    private Envelope refusal(SimCall call, Throwable failure) {
        EcfsException ours = EcfsException.of(failure);
        if (ours.code() == ErrorCode.INTERNAL) {
            time.raise(new SimulationFailure(
                    "a bug answers " + call.request().message(codec) + ": " + ours.getMessage(), failure));
        }
        return Envelope.of(Failure.of(ours));
    }

    private void answer(Server server, SimCall call, Envelope answer) {
        SimFrame frame = SimFrame.of(codec, answer);
        server.process().whenRunning(() -> send(call, answer, frame));
    }

    private void send(SimCall call, Envelope answer, SimFrame frame) {
        witness.ifPresent(observer -> observer.accept(answer.head()));
        call.connection().from().after(delay(call.connection()), () -> {
            if (call.connection().broken()) {
                return;
            }
            if (!answers(call.connection())) {
                call.connection().fallSilent();
                return;
            }
            trace.mark(frame.head());
            Envelope arrived = frame.envelope(codec);
            watcher.accept(arrived.head());
            call.answer(arrived);
        });
        if (happens(weather.breaks())) {
            time.after(random.nextLong(2 * USUAL_DELAY), () -> breakOff(call.connection()));
        }
    }

    /** The server's system notices that a connection was closed, unless nothing arrives from there. */
    private void closedAtServer(SimConnection connection) {
        time.after(USUAL_DELAY, () -> {
            Server server = servers.get(connection.to().toString());
            if (server != null && server.process().alive() && asks(connection)) {
                server.handler().closed(connection.session());
            }
        });
    }

    /**
     * Whether a new connection is refused: no process is at the address, and the two hosts reach each other. Where
     * nothing arrives there is no answer for long, and then it is no.
     */
    public CompletableFuture<Boolean> refused(String fromHost, Address to) {
        CompletableFuture<Boolean> refused = new CompletableFuture<>();
        time.after(USUAL_DELAY, () -> {
            Server server = servers.get(to.toString());
            if (!passes(fromHost, to.host()) || !passes(to.host(), fromHost)) {
                time.after(SLOW_DELAY, () -> refused.complete(false));
            } else {
                refused.complete(server == null || !server.process().alive());
            }
        });
        return refused;
    }

    private void breakOff(SimConnection connection) {
        if (!connection.broken()) {
            closedAtServer(connection);
        }
        connection.breakOff(1 + random.nextLong(500 * MILLI));
    }

    /** A request gets through. */
    private boolean asks(SimConnection connection) {
        return passes(connection.fromHost(), connection.to().host());
    }

    /** An answer gets through. */
    private boolean answers(SimConnection connection) {
        return passes(connection.to().host(), connection.fromHost());
    }

    private boolean passes(String from, String to) {
        return !isolated.contains(from)
                && !isolated.contains(to)
                && !cuts.contains(link(from, to))
                && !mute.contains(from)
                && !deaf.contains(to);
    }

    private static String link(String oneHost, String otherHost) {
        return oneHost.compareTo(otherHost) < 0 ? oneHost + "|" + otherHost : otherHost + "|" + oneHost;
    }

    private long delay(SimConnection connection) {
        long usual = 20_000 + random.nextLong(happens(weather.slow()) ? SLOW_DELAY : USUAL_DELAY);
        return usual + late(connection.fromHost()) + late(connection.to().host());
    }

    private long late(String host) {
        return links.getOrDefault(host, LinkFault.NONE).nanos(random);
    }

    private boolean happens(int tenthsOfPercent) {
        return tenthsOfPercent > 0 && random.nextInt(1000) < tenthsOfPercent;
    }
}
