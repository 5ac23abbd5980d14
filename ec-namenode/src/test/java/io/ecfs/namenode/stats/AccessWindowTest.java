package io.ecfs.namenode.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.env.Randomness;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.AccessSet;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the sliding window says, against a recount of all that it should hold. */
class AccessWindowTest {
    private static final int SIZE = 50;

    private record Seen(AccessSet set, long atMillis) {}

    private static GroupId group(long number) {
        return new GroupId(number);
    }

    private static AccessSet set(int weight, long... groups) {
        return new AccessSet(
                Arrays.stream(groups).mapToObj(AccessWindowTest::group).toList(), weight);
    }

    private static AccessSet random(Random random) {
        TreeSet<GroupId> groups = new TreeSet<>();
        int first = 1 + random.nextInt(random.nextBoolean() ? 5 : 40);
        for (int i = 0; i <= random.nextInt(6); i++) {
            groups.add(group(first + i));
        }
        return new AccessSet(List.copyOf(groups), 1 + random.nextInt(3));
    }

    @Test
    void theGroupsReadMostComeFirst() {
        AccessWindow window = new AccessWindow(SIZE);
        window.add(set(3, 1), 0);
        window.add(set(1, 2, 3), 0);
        window.add(set(1, 3, 4), 0);
        assertThat(window.readMost(3)).containsExactly(group(1), group(3), group(2));
        assertThat(window.readMost(100)).containsExactly(group(1), group(3), group(2), group(4));
    }

    @Test
    void readersHaveTheirSharesOfAGroupsRequests() {
        AccessWindow window = new AccessWindow(SIZE);
        window.add("ann", set(3, 1, 2), 0);
        window.add("ben", set(1, 1), 0);
        assertThat(window.readers(group(1))).containsOnly(entry("ann", 0.75), entry("ben", 0.25));
        assertThat(window.readers(group(2))).containsOnly(entry("ann", 1.0));
        assertThat(window.readers(group(9))).isEmpty();
    }

    @Test
    void agreesWithARecountOfTheRequestsThatDidNotLeave() {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            AccessWindow window = new AccessWindow(SIZE);
            ArrayDeque<Seen> kept = new ArrayDeque<>();
            for (int step = 0; step < 400; step++) {
                Seen seen = new Seen(random(random), step * 10L);
                window.add(seen.set(), seen.atMillis());
                kept.add(seen);
                if (kept.size() > SIZE) {
                    kept.removeFirst();
                }
                if (random.nextInt(40) == 0) {
                    long limit = seen.atMillis() - 10L * random.nextInt(SIZE);
                    window.forgetBefore(limit);
                    kept.removeIf(old -> old.atMillis() < limit);
                }
                if (step % 37 == 0) {
                    check(window, kept, seed);
                }
            }
        }
    }

    private static void check(AccessWindow window, ArrayDeque<Seen> kept, long seed) {
        Map<GroupId, Long> alone = new HashMap<>();
        Map<GroupId, Map<GroupId, Long>> together = new HashMap<>();
        Map<List<GroupId>, Integer> samples = new HashMap<>();
        for (Seen seen : kept) {
            for (GroupId one : seen.set().groups()) {
                alone.merge(one, (long) seen.set().weight(), Long::sum);
                for (GroupId other : seen.set().groups()) {
                    if (!one.equals(other)) {
                        together.computeIfAbsent(one, g -> new HashMap<>())
                                .merge(other, (long) seen.set().weight(), Long::sum);
                        samples.merge(List.of(one, other), 1, Integer::sum);
                    }
                }
            }
        }
        assertThat(window.requests()).as("seed %d", seed).isEqualTo(kept.size());
        assertThat(window.groups()).as("seed %d", seed).isEqualTo(alone.size());
        for (long number = 1; number < 50; number++) {
            GroupId one = group(number);
            assertThat(window.frequency(one)).as("seed %d", seed).isEqualTo(alone.getOrDefault(one, 0L));
            Map<GroupId, Long> partners = together.getOrDefault(one, Map.of());
            List<AccessWindow.Partner> told = window.partners(one, 100);
            assertThat(told).as("seed %d, partners of %s", seed, one).hasSize(partners.size());
            for (AccessWindow.Partner partner : told) {
                double expected = (double) partners.get(partner.group()) / alone.get(one);
                assertThat(partner.likelihood()).as("seed %d", seed).isEqualTo(expected, within(1e-9));
                assertThat(partner.samples()).as("seed %d", seed).isEqualTo(samples.get(List.of(one, partner.group())));
            }
        }
    }

    @Test
    void aNewHotSetHasTakenOverWhenOneWindowHasPassed() {
        AccessWindow window = new AccessWindow(SIZE);
        for (int i = 0; i < 3 * SIZE; i++) {
            window.add(set(1, 1, 2), i);
        }
        for (int i = 0; i < SIZE; i++) {
            window.add(set(1, 3, 4), 3 * SIZE + i);
        }
        assertThat(window.frequency(group(1))).isZero();
        assertThat(window.partners(group(1), 10)).isEmpty();
        assertThat(window.partners(group(3), 2)).containsExactly(new AccessWindow.Partner(group(4), 1, SIZE));
        assertThat(window.groups()).isEqualTo(2);
    }

    @Test
    void countsARequestThatNamesAGroupTwiceOnce() {
        AccessWindow window = new AccessWindow(SIZE);
        window.add(set(2, 1, 1, 5), 0);
        assertThat(window.frequency(group(1))).isEqualTo(2);
        assertThat(window.partners(group(1), 10)).containsExactly(new AccessWindow.Partner(group(5), 1, 1));
    }

    @Test
    void drawsWhatIsReadOftenMoreOften() {
        AccessWindow window = new AccessWindow(1000);
        Randomness random = Randomness.over(new Random(7));
        for (int i = 0; i < 1000; i++) {
            window.add(set(1, i % 10 == 0 ? 100 + i : 1), i);
        }
        int hot = 0;
        for (int i = 0; i < 500; i++) {
            hot += window.draw(1, random).contains(group(1)) ? 1 : 0;
        }
        assertThat(hot).isBetween(420, 480);
        assertThat(window.draw(20, random)).doesNotHaveDuplicates().contains(group(1));
        assertThat(new AccessWindow(5).draw(3, random)).isEmpty();
    }

    /**
     * Families of groups that take turns in being read by all; of each of the others a request now and then keeps all
     * its groups in the window.
     */
    @Test
    void whatWasReadOftenAndNowRarelyKeepsNoRoom() {
        int size = 10 * SIZE;
        int families = 40;
        int period = size - families;
        for (long seed = 0; seed < 3; seed++) {
            Random random = new Random(seed);
            AccessWindow window = new AccessWindow(size);
            for (int step = 0; step < (families + 2) * size; step++) {
                int turn = step % period;
                int family = turn < families ? turn : step / period % families;
                window.add(
                        set(
                                1,
                                LongStream.range(64L * family + 1, 64L * family + 65)
                                        .toArray()),
                        step);
                if (random.nextInt(10 * size) == 0) {
                    window.forgetBefore(step - random.nextInt(size));
                }
                if (step % 7 == 0) {
                    assertThat(window.room())
                            .as("seed %d, step %d", seed, step)
                            .isBetween(window.entries(), 4 * window.entries());
                }
            }
            assertThat(window.groups()).as("seed %d", seed).isEqualTo(64 * families);
            window.forgetBefore(Long.MAX_VALUE);
            assertThat(window.room()).isZero();
        }
    }

    @Test
    void memoryIsThatOfTheRequestsWhateverTheyName() {
        AccessWindow window = new AccessWindow(SIZE);
        for (int i = 0; i < 100_000; i++) {
            window.add(set(1, 1L + i, 200_000L + i), i);
        }
        assertThat(window.groups()).isEqualTo(2 * SIZE);
        assertThat(window.requests()).isEqualTo(SIZE);
        long full = window.bytes();
        assertThat(full).isBetween(20_000L, 25_000L);
        window.add(set(1, 7, 8), 100_000);
        assertThat(window.bytes()).isEqualTo(full);
        window.forgetBefore(Long.MAX_VALUE);
        assertThat(window.bytes()).isEqualTo(4L * SIZE);
    }
}
