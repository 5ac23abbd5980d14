package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.EcfsClient;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteAmplification;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link WriteAmplification} says of files, beside the bytes on the disks of datanodes. */
class WriteAmplificationTest {
    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = TestCluster.start(directory, "rs-3-2-64k", 1, 6, TestCluster.GROUP_FOR_EACH_FILE);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private record OnDisk(long fileBytes, long blockBytes) {
        static OnDisk now() throws IOException {
            long bytes = 0;
            long blocks = 0;
            for (Path file : cluster.chunkFiles()) {
                long size = Files.size(file);
                bytes += size;
                blocks += (size + WriteAmplification.BLOCK_BYTES - 1)
                        / WriteAmplification.BLOCK_BYTES
                        * WriteAmplification.BLOCK_BYTES;
            }
            return new OnDisk(bytes, blocks);
        }

        void assertGrownBy(WriteAmplification expected, String what) throws IOException {
            OnDisk now = now();
            assertThat(now.fileBytes - fileBytes).as("bytes of %s", what).isEqualTo(expected.fileBytes());
            assertThat(now.blockBytes - blockBytes).as("blocks of %s", what).isEqualTo(expected.blockBytes());
        }
    }

    private static void directory(EcfsClient client, String path, Policy policy) throws IOException {
        Await.result(client.mkdirs(new FilePath(path), 0755, true));
        Await.result(client.setPolicy(new FilePath(path), Optional.of(policy)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-64k", "clay-3-2-4-64k", "lrc-3-1-1-4k", "liberation-3-2-28k", "replication-2-64k"})
    void aFileTakesByteForByteWhatIsComputed(String name) throws IOException {
        Policy policy = Policy.parse(name);
        directory(cluster.client(), "/" + name, policy);
        long stripe = policy.stripeBytes();
        long[] lengths = {
            0, 1, 63, 100, 4096, policy.cellBytes(), stripe - 1, stripe, stripe + 1, 3 * stripe + 4097, 500_000
        };
        for (long bytes : LongStream.of(lengths).distinct().toArray()) {
            OnDisk before = OnDisk.now();
            cluster.write("/" + name + "/" + bytes, Pattern.bytes(bytes, (int) bytes));
            before.assertGrownBy(WriteAmplification.ofFile(policy, bytes), bytes + " bytes under " + name);
        }
    }

    @Test
    void filesThatShareAGroupTakeByteForByteWhatIsComputed() throws IOException {
        Policy policy = Policy.parse("rs-3-2-64k");
        for (int bytes : new int[] {100, 5000, 70_000}) {
            OnDisk before = OnDisk.now();
            try (EcfsClient client = TestCluster.client(cluster.uri(), "pack.on=true")) {
                for (int i = 0; i < 20; i++) {
                    TestCluster.write(client, "/" + bytes + "-" + i, Pattern.bytes(i, bytes));
                }
            }
            before.assertGrownBy(WriteAmplification.ofPack(policy, 20, bytes), "20 files of " + bytes + " bytes");
        }
    }
}
