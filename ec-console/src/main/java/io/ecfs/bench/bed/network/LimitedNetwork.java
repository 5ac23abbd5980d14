package io.ecfs.bench.bed.network;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.bench.bed.hardware.Star;
import io.ecfs.env.Clock;
import io.ecfs.message.Address;
import io.ecfs.plan.write.Network;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Machines at one switch that never blocks, whose NICs send and receive at a limited rate: a message of b bytes
 * occupies b / rate of the sender's egress and, a latency later, of the receiver's ingress. Safe for use by several
 * threads; {@link #deliver} is called by one.
 */
public final class LimitedNetwork {
    private static final Logger LOG = LoggerFactory.getLogger(LimitedNetwork.class);
    private static final double NANOS = 1e9;

    /** Messages take no time, and are delivered by the thread that sends them. */
    private static final Network UNLIMITED = new Network(Double.POSITIVE_INFINITY, 0);

    private final Clock clock;
    private final Runnable sooner;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final TimedEvents events;

    @GuardedBy("lock")
    private final Map<Address, Integer> machines = new HashMap<>();

    @GuardedBy("lock")
    private final long[] sent;

    @GuardedBy("lock")
    private final List<Delivery> arrived = new ArrayList<>();

    @GuardedBy("lock")
    private Network network = UNLIMITED;

    @GuardedBy("lock")
    private Star star;

    @GuardedBy("lock")
    private int underWay;

    @GuardedBy("lock")
    private boolean closed;

    private record Delivery(long dueNanos, Runnable run) {}

    /**
     * A network without limits.
     *
     * @param machines that it has room for
     * @param sooner called when a message is due before all others, on the sender's thread
     */
    public LimitedNetwork(Clock clock, int machines, Runnable sooner) {
        this.clock = clock;
        this.sooner = sooner;
        this.events = new TimedEvents(clock);
        this.sent = new long[machines];
        this.star = new Star(events, 0, machines);
    }

    /** Limits what is sent from now on. */
    public void limit(Network limits) {
        synchronized (lock) {
            network = limits;
            star = new Star(events, limits.latencyNanos(), sent.length);
        }
    }

    /** Removes all limits. */
    public void unlimit() {
        limit(UNLIMITED);
    }

    /**
     * The number of a machine, a new one for an address that was not seen before.
     *
     * @throws IllegalStateException when there are more than it has room for
     */
    public int machine(Address address) {
        synchronized (lock) {
            Integer known = machines.get(address);
            if (known != null) {
                return known;
            }
            if (machines.size() == sent.length) {
                throw new IllegalStateException(
                        "the network has " + sent.length + " machines, " + address + " is one more");
            }
            machines.put(address, machines.size());
            return machines.size() - 1;
        }
    }

    /** Bytes that a machine has sent. */
    public long sentBytes(int machine) {
        synchronized (lock) {
            return sent[machine];
        }
    }

    /** @param delivered runs when the last byte has arrived; it must not block */
    void send(int from, int to, long bytes, Runnable delivered) {
        boolean now;
        boolean first = false;
        synchronized (lock) {
            sent[from] += bytes;
            now = closed || (underWay == 0 && network.equals(UNLIMITED));
            if (!now) {
                underWay++;
                OptionalLong before = events.first();
                TimedEvents agenda = events; // runs the delivery under the lock, too
                List<Delivery> deliveries = arrived;
                star.send(
                        from,
                        to,
                        Math.round(bytes * NANOS / network.bytesPerSecond()),
                        () -> deliveries.add(new Delivery(agenda.reading(agenda.nanos()), delivered)));
                first = !before.equals(events.first());
            }
        }
        if (now) {
            delivered.run();
        } else if (first) {
            sooner.run();
        }
    }

    /**
     * Delivers what has arrived by now.
     *
     * @param late gets the nanoseconds by which each delivery is late
     * @return when to call again, unless something sooner is sent
     */
    OptionalLong deliver(LongConsumer late) {
        return deliver(TimedEvents::run, late);
    }

    private OptionalLong deliver(Consumer<TimedEvents> passing, LongConsumer late) {
        List<Delivery> due;
        synchronized (lock) {
            passing.accept(events);
            due = List.copyOf(arrived);
            arrived.clear();
        }
        for (Delivery one : due) {
            late.accept(clock.nanos() - one.dueNanos);
            try {
                one.run.run();
            } catch (RuntimeException | Error e) {
                LOG.error("event=delivery_failed", e);
            }
        }
        synchronized (lock) {
            underWay -= due.size();
            return events.first();
        }
    }

    /** Delivers everything at once; from now on messages take no time. Call it in place of {@link #deliver}. */
    void end() {
        synchronized (lock) {
            closed = true;
        }
        OptionalLong more;
        do {
            more = deliver(TimedEvents::runAll, late -> {});
        } while (more.isPresent());
    }
}
