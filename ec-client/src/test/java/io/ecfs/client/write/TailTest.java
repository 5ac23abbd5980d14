package io.ecfs.client.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What was acknowledged of a stripe that is not full: readers see it, also without m datanodes, and it goes where it
 * belongs at close.
 */
class TailTest extends ClusterTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"rs-3-2-4k", "rs-6-3-8k", "replication-3-4k", "lrc-4-2-1-4k", "clay-4-2-5-4k", "shec-4-3-2-4k"})
    void everyFlushIsReadableWithoutAnyMOfTheDatanodes(String name) throws IOException {
        Policy policy = Policy.parse(name);
        for (long seed = 1; seed <= 3; seed++) {
            check(policy, seed);
        }
    }

    private void check(Policy policy, long seed) throws IOException {
        Random random = new Random(seed);
        start(policy.chunks() + 1);
        int survived = policy.code().survivedLosses();
        long length = 0;
        try (EcfsOutputStream out = create(FILE, policy)) {
            for (int step = 0; step < 25; step++) {
                length += 1 + random.nextInt(random.nextBoolean() ? 300 : (int) policy.stripeBytes());
                append(out, length);
                if (random.nextBoolean()) {
                    out.hsync();
                } else {
                    out.hflush();
                }
                assertThat(readAll(FILE)).as("%s, seed %d", policy, seed).isEqualTo(Bytes.range(0, length));
                if (step % 5 == 4) {
                    cluster.stopHolders(openGroup(), lost(random, policy.chunks(), survived));
                    assertThat(readAll(FILE))
                            .as("%s, seed %d, without %d", policy, seed, survived)
                            .isEqualTo(Bytes.range(0, length));
                    cluster.heal();
                }
            }
        }
        assertThat(readAll(FILE)).as("%s, seed %d", policy, seed).isEqualTo(Bytes.range(0, length));
        assertThat(groups(FILE)).hasSize(1);
    }

    /** All chunks get all records, and a log is begun anew only when all of it is settled. */
    @Test
    void aWriterOfManySmallRecordsSettlesThemBeforeALogIsFull() throws IOException {
        Policy policy = Policy.parse("replication-3-4k");
        start(3);
        int length = 14_000;
        try (EcfsOutputStream out = create(FILE, policy)) {
            byte[] bytes = Bytes.range(0, length);
            out.write(bytes, 0, 1);
            out.hsync();
            for (int at = 1; at < length; at++) {
                out.write(bytes, at, 1);
                out.hflush();
            }
            assertThat(readAll(FILE)).isEqualTo(bytes);
        }
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, length));
        assertThat(chunksOf(onlyGroup(FILE))).isEqualTo(3);
    }

    private static Set<Integer> lost(Random random, int chunks, int count) {
        return random.ints(0, chunks).distinct().limit(count).boxed().collect(Collectors.toSet());
    }

    private GroupId openGroup() {
        return cluster.on(c ->
                c.namenode().groups.keySet().stream().max(GroupId::compareTo).orElseThrow());
    }
}
