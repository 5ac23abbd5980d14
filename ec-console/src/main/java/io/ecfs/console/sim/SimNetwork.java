package io.ecfs.console.sim;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Failure;
import io.ecfs.message.Message;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Handler;
import io.ecfs.wire.MessageCodec;
import io.ecfs.wire.Parcel;
import io.ecfs.wire.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The network of a simulated world, with the promises of {@link Caller} and no others: requests of one connection arrive in order,
 * answers in any, different connections overtake each other; a connection that breaks leaves open what of it arrived, and what was
 * under way may still arrive seconds later, behind what was sent on the next one.
 */
final class SimNetwork {
    private static final long MILLI = 1_000_000;
    private static final long USUAL_DELAY = MILLI;
    private static final long SLOW_DELAY = 3_000 * MILLI;
    /** How late a straggler of a broken connection, or a repeated request, may come. */
    private static final long LATE = 10_000 * MILLI;

    private final VirtualTime time;
    private final Trace trace;
    private final SplittableRandom random;
    private final MessageCodec codec = new MessageCodec();
    private final TreeMap<String, Server> servers = new TreeMap<>();
    private final List<SimCaller> callers = new ArrayList<>();
    private final TreeSet<String> isolated = new TreeSet<>();
    private final TreeSet<String> cuts = new TreeSet<>();
    private Consumer<Message> watcher = message -> {};
    private NetworkWeather weather = NetworkWeather.FAIR;
    private long delivered;

    private record Server(SimProcess process, Handler handler) {}

    SimNetwork(VirtualTime time, Trace trace, SplittableRandom random) {
        this.time = time;
        this.trace = trace;
        this.random = random;
    }

    void weather(NetworkWeather now) {
        weather = now;
    }

    /** Tells of every answer before it arrives. */
    void watch(Consumer<Message> newWatcher) {
        watcher = newWatcher;
    }

    /** How many messages arrived. */
    long delivered() {
        return delivered;
    }

    /** The process answers at this address while it lives. */
    void serve(Address address, SimProcess process, Handler handler) {
        servers.put(address.toString(), new Server(process, handler));
    }

    /** A caller for one process; the session is what its greeting says, its remote address names the host. */
    Caller caller(SimProcess process, Session session) {
        SimCaller caller = new SimCaller(this, process, session);
        callers.add(caller);
        return caller;
    }

    /** Nothing gets to the host or from it, until {@link #heal}. */
    void isolate(String host) {
        isolated.add(host);
    }

    /** Nothing gets from one host to the other, in both directions. */
    void cut(String oneHost, String otherHost) {
        cuts.add(link(oneHost, otherHost));
    }

    void join(String oneHost, String otherHost) {
        cuts.remove(link(oneHost, otherHost));
    }

    void heal(String host) {
        isolated.remove(host);
        cuts.removeIf(link -> link.startsWith(host + "|") || link.endsWith("|" + host));
    }

    void healAll() {
        isolated.clear();
        cuts.clear();
        weather = NetworkWeather.FAIR;
    }

    /** The host's process is gone: what it had sent arrives or not, and whoever waits for it notices after a moment. */
    void processGone(String host) {
        callers.stream()
                .flatMap(caller -> caller.connections().stream())
                .filter(connection -> !connection.from().alive() && random.nextBoolean())
                .forEach(SimConnection::fallSilent);
        callers.removeIf(caller -> !caller.alive());
        callers.stream()
                .flatMap(caller -> caller.connections().stream())
                .filter(connection -> connection.to().host().equals(host) && !connection.broken())
                .forEach(this::breakOff);
    }

    SimFrame frame(Parcel parcel) {
        return SimFrame.of(codec, parcel);
    }

    /** Puts a request on its way, behind those before it on the connection. */
    void send(SimCall call) {
        long arrival = call.connection().inOrder(time.nanos() + delay());
        time.at(arrival, () -> arrive(call));
        if (happens(weather.repeats())) {
            time.at(arrival + random.nextLong(LATE), () -> deliver(call, false));
        }
        if (happens(weather.breaks())) {
            time.after(random.nextLong(2 * USUAL_DELAY), () -> breakOff(call.connection()));
        }
    }

    private void arrive(SimCall call) {
        if (call.connection().broken()) {
            // Of a broken connection some requests are lost, and some are still read by the other side.
            if (random.nextInt(3) == 0) {
                time.after(random.nextLong(LATE), () -> deliver(call, false));
            }
        } else if (!connected(call)) {
            // Nobody notices at once; what follows on this connection cannot arrive either.
            call.connection().fallSilent();
        } else {
            deliver(call, true);
        }
    }

    private void deliver(SimCall call, boolean awaited) {
        Address to = call.connection().to();
        Server server = servers.get(to.toString());
        if (server == null || !server.process().alive()) {
            if (awaited) {
                call.connection().from().after(delay(), () -> call.fail(ErrorCode.UNREACHABLE, "nobody at " + to));
            }
        } else if (connected(call)) {
            delivered++;
            trace.mark(call.request().head());
            handle(server, call, awaited);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is the answer
    private void handle(Server server, SimCall call, boolean awaited) {
        server.handler().handle(call.session(), call.request().parcel(codec)).whenComplete((answer, failure) -> {
            if (failure != null) {
                Parcel refusal = refusal(call, failure);
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

    private Parcel refusal(SimCall call, Throwable failure) {
        EcfsException ours = EcfsException.of(failure);
        if (ours.code() == ErrorCode.INTERNAL) {
            time.raise(new SimulationFailure(
                    "a bug answers " + call.request().message(codec) + ": " + ours.getMessage(), failure));
        }
        return Parcel.of(Failure.of(ours));
    }

    private void answer(Server server, SimCall call, Parcel answer) {
        SimFrame frame = SimFrame.of(codec, answer);
        if (!server.process().alive()) {
            return;
        }
        call.connection().from().after(delay(), () -> {
            if (call.connection().broken()) {
                return;
            }
            if (!connected(call)) {
                call.connection().fallSilent();
                return;
            }
            trace.mark(frame.head());
            Parcel arrived = frame.parcel(codec);
            watcher.accept(arrived.head());
            call.answer(arrived);
        });
        if (happens(weather.breaks())) {
            time.after(random.nextLong(2 * USUAL_DELAY), () -> breakOff(call.connection()));
        }
    }

    private void breakOff(SimConnection connection) {
        connection.breakOff(1 + random.nextLong(500 * MILLI));
    }

    private boolean connected(SimCall call) {
        String from = call.connection().fromHost();
        String to = call.connection().to().host();
        return !isolated.contains(from) && !isolated.contains(to) && !cuts.contains(link(from, to));
    }

    private static String link(String oneHost, String otherHost) {
        return oneHost.compareTo(otherHost) < 0 ? oneHost + "|" + otherHost : otherHost + "|" + oneHost;
    }

    private long delay() {
        return 20_000 + random.nextLong(happens(weather.slow()) ? SLOW_DELAY : USUAL_DELAY);
    }

    private boolean happens(int tenthsOfPercent) {
        return tenthsOfPercent > 0 && random.nextInt(1000) < tenthsOfPercent;
    }
}
