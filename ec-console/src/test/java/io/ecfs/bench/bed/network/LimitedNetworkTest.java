package io.ecfs.bench.bed.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.bed.hardware.Agenda;
import io.ecfs.bench.bed.hardware.Star;
import io.ecfs.env.ManualTime;
import io.ecfs.message.Address;
import io.ecfs.plan.write.Network;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links by a clock that a test moves: 1 Gb/s, 8 ns a byte, 20 us one way. */
class LimitedNetworkTest {
    private static final Network GIGABIT = Network.ofGigabits(1, 20_000);
    private static final int MACHINES = 5;

    private final ManualTime time = new ManualTime(1);
    private final long begin = time.nanos();
    private final LimitedNetwork network = new LimitedNetwork(time, MACHINES, () -> {});

    private record Message(long sentNanos, int from, int to, long bytes) {}

    private static List<Message> messages(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Message> messages = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 300; i++) {
            now += random.nextBoolean() ? random.nextLong(400_000) : random.nextLong(3_000);
            int from = random.nextInt(MACHINES);
            int to = (from + 1 + random.nextInt(MACHINES - 1)) % MACHINES;
            messages.add(new Message(now, from, to, random.nextInt(8) == 0 ? 0 : random.nextLong(70_000)));
        }
        return messages;
    }

    /** Sends all, and delivers at moments that are late by up to 100 us; returns when each was due. */
    private long[] arrivals(List<Message> messages, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] due = new long[messages.size()];
        List<Integer> inOrder = new ArrayList<>();
        network.limit(GIGABIT);
        for (int i = 0; i <= messages.size(); i++) {
            long until = i < messages.size() ? messages.get(i).sentNanos() : Long.MAX_VALUE;
            OptionalLong next = deliver(due, inOrder);
            while (next.isPresent() && next.getAsLong() - begin < until) {
                pass(next.getAsLong() - begin + random.nextLong(100_000), until);
                next = deliver(due, inOrder);
            }
            if (i < messages.size()) {
                pass(until, until);
                int number = i;
                Message message = messages.get(i);
                network.send(message.from(), message.to(), message.bytes(), () -> inOrder.add(number));
            }
        }
        return due;
    }

    private OptionalLong deliver(long[] due, List<Integer> inOrder) {
        inOrder.clear();
        List<Long> late = new ArrayList<>();
        OptionalLong next = network.deliver(late::add);
        for (int i = 0; i < inOrder.size(); i++) {
            due[inOrder.get(i)] = time.nanos() - begin - late.get(i);
        }
        return next;
    }

    private void pass(long wanted, long limit) {
        long to = Math.min(wanted, limit);
        time.advance(Duration.ofNanos(Math.max(0, to - (time.nanos() - begin))));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void messagesArriveWhenTheyDoInVirtualTimeHoweverLateTheThreadIs(long seed) {
        List<Message> messages = messages(seed);
        VirtualTime virtual = new VirtualTime();
        Star star = new Star(Agenda.of(virtual), GIGABIT.latencyNanos(), MACHINES);
        long[] expected = new long[messages.size()];
        for (int i = 0; i < messages.size(); i++) {
            int number = i;
            Message message = messages.get(i);
            virtual.at(
                    message.sentNanos(),
                    () -> star.send(
                            message.from(),
                            message.to(),
                            8 * message.bytes(),
                            () -> expected[number] = virtual.nanos()));
        }
        virtual.pass(Duration.ofSeconds(10));
        assertThat(arrivals(messages, seed)).containsExactly(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void noLinkCarriesMoreThanItsRateAndTwoMachinesMessagesKeepTheirOrder(long seed) {
        List<Message> messages = messages(seed);
        long[] due = arrivals(messages, seed);
        for (int machine = 0; machine < MACHINES; machine++) {
            long[] lastFrom = new long[MACHINES];
            long egress = 0; // end of what it has sent, were its link never to wait
            List<Integer> received = new ArrayList<>();
            for (int i = 0; i < due.length; i++) {
                Message message = messages.get(i);
                if (message.from() == machine) {
                    egress = Math.max(egress, message.sentNanos()) + 8 * message.bytes();
                    assertThat(due[i]).as("message %s", i).isGreaterThanOrEqualTo(egress + 20_000);
                    assertThat(due[i]).as("order of message %s", i).isGreaterThanOrEqualTo(lastFrom[message.to()]);
                    lastFrom[message.to()] = due[i];
                } else if (message.to() == machine) {
                    received.add(i);
                }
            }
            received.sort(Comparator.<Integer>comparingLong(i -> due[i])
                    .thenComparingLong(i -> -messages.get(i).bytes())); // behind it one without bytes
            for (int i = 1; i < received.size(); i++) {
                assertThat(due[received.get(i)] - due[received.get(i - 1)])
                        .isGreaterThanOrEqualTo(
                                8 * messages.get(received.get(i)).bytes());
            }
        }
    }

    @Test
    void bytesAreCountedWhereTheyLeave() {
        network.send(0, 1, 100, () -> {});
        network.limit(GIGABIT);
        network.send(0, 2, 50, () -> {});
        assertThat(network.sentBytes(0)).isEqualTo(150);
        assertThat(network.sentBytes(1)).isZero();
    }

    @Test
    void withoutLimitsMessagesAreDeliveredAtOnceButNotBeforeThoseThatAreUnderWay() {
        List<String> delivered = new ArrayList<>();
        network.send(0, 1, 1 << 30, () -> delivered.add("first"));
        assertThat(delivered).containsExactly("first");
        network.limit(GIGABIT);
        network.send(0, 1, 1000, () -> delivered.add("limited"));
        network.unlimit();
        network.send(0, 2, 1000, () -> delivered.add("behind"));
        assertThat(delivered).containsExactly("first");
        time.advance(Duration.ofMillis(1));
        network.deliver(late -> {});
        assertThat(delivered).containsExactlyInAnyOrder("first", "limited", "behind");
        network.send(0, 2, 1000, () -> delivered.add("last"));
        assertThat(delivered).endsWith("last");
    }

    @Test
    void theEndDeliversAllThatIsUnderWay() {
        List<Integer> delivered = new ArrayList<>();
        network.limit(GIGABIT);
        for (int i = 0; i < 3; i++) {
            int number = i;
            network.send(0, 1, 1 << 20, () -> delivered.add(number));
        }
        network.end();
        assertThat(delivered).containsExactly(0, 1, 2);
        network.send(0, 1, 1 << 20, () -> delivered.add(3));
        assertThat(delivered).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aMessageThatIsDueBeforeAllOthersIsTold() {
        List<String> told = new ArrayList<>();
        LimitedNetwork own = new LimitedNetwork(time, 4, () -> told.add("sooner"));
        own.limit(GIGABIT);
        own.send(0, 1, 1_000_000, () -> {});
        own.send(0, 1, 10, () -> {});
        assertThat(told).hasSize(1);
    }

    @Test
    void anAddressIsOneMachineAndThereIsRoomForSoMany() {
        for (int i = 0; i < MACHINES; i++) {
            assertThat(network.machine(new Address("host", i + 1))).isEqualTo(i);
        }
        assertThat(network.machine(new Address("host", 2))).isEqualTo(1);
        assertThatThrownBy(() -> network.machine(new Address("another", 1)))
                .hasMessage("the network has 5 machines, another:1 is one more");
    }
}
