package io.ecfs.namenode.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class UnderReplicationIndexTest {
    private static final GroupId GROUP = new GroupId(3);

    private final UnderReplicationIndex ledger = new UnderReplicationIndex(() -> 0);

    private UnderReplicationIndex.Counts without(String policy, Integer... indexes) {
        ledger.noteAbsent(GROUP, Set.of(indexes), group -> Optional.of(Policy.parse(policy)));
        return ledger.counts();
    }

    @Test
    void aGroupIsLostWhenMoreThanMChunksOfAnMdsCodeAre() {
        assertThat(without("rs-4-3-4k", 0, 1, 6)).isEqualTo(new UnderReplicationIndex.Counts(1, 0));
        assertThat(without("rs-4-3-4k", 0, 1, 2, 6)).isEqualTo(new UnderReplicationIndex.Counts(0, 1));
        assertThat(without("rs-4-3-4k", 0, 1, 6)).isEqualTo(new UnderReplicationIndex.Counts(1, 0));
    }

    /** Chunks 0, 1 and 4 are one local group, 2, 3 and 5 the other, 6 is global. */
    @Test
    void whetherAGroupOfALocalCodeIsLostDependsOnWhichChunksAre() {
        assertThat(without("lrc-4-2-1-4k", 0, 2, 6)).isEqualTo(new UnderReplicationIndex.Counts(1, 0));
        assertThat(without("lrc-4-2-1-4k", 0, 1, 4)).isEqualTo(new UnderReplicationIndex.Counts(0, 1));
        assertThat(without("lrc-4-2-1-4k", 0, 1, 5)).isEqualTo(new UnderReplicationIndex.Counts(1, 0));
    }

    @Test
    void theGroupsThatSurviveLeastComeFirst() {
        Policy policy = Policy.parse("rs-4-3-4k");
        Map<Integer, Set<Integer>> lacking =
                Map.of(1, Set.of(0), 2, Set.of(0, 1), 3, Set.of(5), 4, Set.of(0, 1, 2), 5, Set.of(0, 1, 2, 3));
        for (int group = 1; group <= 5; group++) {
            ledger.noteAbsent(new GroupId(group), lacking.get(group), g -> Optional.of(policy));
        }
        assertThat(urgent()).containsExactly(4, 2, 1, 3);
        ledger.noteAbsent(new GroupId(4), Set.of(2), g -> Optional.of(policy));
        ledger.noteAbsent(new GroupId(5), Set.of(0, 1, 2), g -> Optional.of(policy));
        ledger.noteAbsent(new GroupId(1), Set.of(), g -> Optional.of(policy));
        assertThat(urgent()).containsExactly(5, 2, 3, 4);
        ledger.forget(new GroupId(2));
        assertThat(urgent()).containsExactly(5, 3, 4);
        assertThat(ledger.lacking(new GroupId(5))).containsOnlyKeys(0, 1, 2);
        assertThat(ledger.lacking(new GroupId(2))).isEmpty();
    }

    @Test
    void nineHundredThousandDamagedChunksTakeFewBytesEach() {
        Policy policy = Policy.parse("rs-6-3-1024k");
        int chunks = 900_000;
        long before = usedBytes();
        for (int stretch = 0; stretch < chunks; stretch += 1000) {
            Set<ChunkId> damaged = new TreeSet<>();
            for (int i = 1; i <= 1000; i++) {
                damaged.add(new ChunkId(new GroupId(stretch + i), (stretch + i) % 9, 0));
            }
            Optional<ChunkId> after =
                    stretch == 0 ? Optional.empty() : Optional.of(new ChunkId(new GroupId(stretch), 8, 0));
            Optional<ChunkId> last = Optional.of(new ChunkId(new GroupId(stretch + 1000), 8, 0));
            ledger.noteStretch(new VolumeId(1), after, last, damaged, g -> Optional.of(policy));
        }
        assertThat(ledger.counts()).isEqualTo(new UnderReplicationIndex.Counts(chunks, 0));
        assertThat(ledger.urgent(Optional.empty(), 2).get(1).group()).isEqualTo(new GroupId(2));
        assertThat(usedBytes() - before).isLessThan(chunks * 64L);
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private List<Integer> urgent() {
        return ledger.urgent(Optional.empty(), 10).stream()
                .map(urgency -> (int) urgency.group().value())
                .toList();
    }

    @Test
    // Ceph PR 65747, PR 65908
    void itCountsWhatARecountWouldCount() {
        Policy policy = Policy.parse("rs-2-1-4k");
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            UnderReplicationIndex index = new UnderReplicationIndex(() -> 0);
            TreeMap<VolumeId, TreeSet<ChunkId>> noted = new TreeMap<>();
            for (int step = 0; step < 200; step++) {
                VolumeId volume = new VolumeId(random.nextInt(1, 5));
                TreeSet<ChunkId> chunks = new TreeSet<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    chunks.add(new ChunkId(new GroupId(random.nextInt(1, 8)), random.nextInt(3), 0));
                }
                if (random.nextBoolean() || chunks.isEmpty()) {
                    Optional<ChunkId> after = bound(random);
                    Optional<ChunkId> last = bound(random)
                            .filter(l -> after.filter(a -> a.compareTo(l) >= 0).isEmpty());
                    Predicate<ChunkId> within = c -> after.stream().allMatch(a -> c.compareTo(a) > 0)
                            && last.stream().allMatch(l -> c.compareTo(l) <= 0);
                    chunks.removeIf(within.negate());
                    index.noteStretch(volume, after, last, chunks, g -> Optional.of(policy));
                    TreeSet<ChunkId> of = noted.computeIfAbsent(volume, v -> new TreeSet<>());
                    of.removeIf(within);
                    of.addAll(chunks);
                } else {
                    boolean damaged = random.nextBoolean();
                    index.noteChunk(volume, chunks.first(), damaged, g -> Optional.of(policy));
                    TreeSet<ChunkId> of = noted.computeIfAbsent(volume, v -> new TreeSet<>());
                    boolean unused = damaged ? of.add(chunks.first()) : of.remove(chunks.first());
                }
                TreeMap<GroupId, TreeSet<Integer>> lacking = new TreeMap<>();
                noted.values().stream()
                        .flatMap(TreeSet::stream)
                        .forEach(c -> lacking.computeIfAbsent(c.group(), g -> new TreeSet<>())
                                .add(c.index()));
                long lost = lacking.values().stream().filter(l -> l.size() > 1).count();
                assertThat(index.counts())
                        .as("seed %s step %s", seed, step)
                        .isEqualTo(new UnderReplicationIndex.Counts(lacking.size() - lost, lost));
                assertThat(index.damaged()).isEqualTo(lacking);
            }
        }
    }

    private static Optional<ChunkId> bound(SplittableRandom random) {
        return random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new ChunkId(new GroupId(random.nextInt(1, 8)), random.nextInt(3), 0));
    }
}
