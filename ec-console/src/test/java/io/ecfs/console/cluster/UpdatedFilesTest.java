package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are updated in place, on a real cluster in one process. */
class UpdatedFilesTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final UpdateOptions NEW = UpdateOptions.defaults().create(true);

    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.start(directory, POLICY.name(), 1, 6);
    }

    @AfterAll
    static void down() {
        cluster.close();
    }

    /** What a file must be, changed as the file is. */
    private static final class Model {
        byte[] bytes = new byte[0];
        private final Random random;

        Model(long seed) {
            random = new Random(seed);
        }

        void put(long position, byte[] data) {
            if (position + data.length > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) position + data.length);
            }
            System.arraycopy(data, 0, bytes, (int) position, data.length);
        }

        /** Submits so many writes within the first bytes of the file. */
        List<CompletableFuture<Void>> write(UpdatableFile file, int writes, int within, int most) {
            List<CompletableFuture<Void>> done = new ArrayList<>();
            for (int i = 0; i < writes; i++) {
                byte[] data = new byte[1 + random.nextInt(most)];
                random.nextBytes(data);
                long position = random.nextInt(within);
                put(position, data);
                done.add(file.write(position, ByteBuffer.wrap(data)));
            }
            return done;
        }
    }

    private static void all(List<CompletableFuture<Void>> futures) throws IOException {
        Await.result(CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)));
    }

    private static byte[] read(UpdatableFile file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
        Await.result(file.read(0, bytes));
        return bytes.array();
    }

    private static byte[] readAnew(EcfsClient client, String path) throws IOException {
        FileReader reader = Await.result(client.open(new FilePath(path)));
        ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
        for (int count = 0; count >= 0 && bytes.hasRemaining(); ) {
            count = reader.read(bytes.position(), bytes);
        }
        return bytes.array();
    }

    @Test
    void whatIsWrittenAnywhereIsReadByTheWriterByOthersAndAfterTheClose() throws IOException {
        Model model = new Model(1);
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            try (UpdatableFile file = Await.result(client.update(new FilePath("/updated"), NEW))) {
                for (int round = 0; round < 12; round++) {
                    all(model.write(file, 40, 300_000, 20_000));
                    assertThat(read(file)).isEqualTo(model.bytes);
                    assertThat(cluster.read("/updated")).isEqualTo(model.bytes);
                }
            }
            assertThat(readAnew(client, "/updated")).isEqualTo(model.bytes);
            try (UpdatableFile again = Await.result(client.update(
                    new FilePath("/updated"), UpdateOptions.defaults().synced(true)))) {
                assertThat(read(again)).isEqualTo(model.bytes);
                all(model.write(again, 40, 300_000, 20_000));
                assertThat(read(again)).isEqualTo(model.bytes);
            }
            assertThat(cluster.read("/updated")).isEqualTo(model.bytes);
        }
    }

    /** Stored bytes of a file's groups, and how many those are. */
    private static NamespaceReply.Located located(EcfsClient client, String path) throws IOException {
        return Await.result(client.locate(new FilePath(path), 0, 1L << 40));
    }

    private static long patchBytes(NamespaceReply.Located located) {
        return located.patches().stream()
                .flatMap(patches -> patches.sealed().stream())
                .mapToLong(PatchGroup::length)
                .sum();
    }

    @Test
    void deadBytesStayWithinTheSpareShareWhileReadersGoOn() throws IOException {
        Model model = new Model(2);
        try (EcfsClient client = TestCluster.client(cluster.uri());
                UpdatableFile file = Await.result(client.update(new FilePath("/cleaned"), NEW))) {
            all(model.write(file, 100, 4 << 20, 100_000));
            FileReader reader = Await.result(client.open(new FilePath("/cleaned")));
            for (int round = 0; round < 25; round++) {
                all(model.write(file, 200, 4 << 20, 12_000));
                ByteBuffer some = ByteBuffer.allocate(1 << 20);
                reader.read(round * 1000L, some);
            }
            assertThat(read(file)).isEqualTo(model.bytes);
            assertThat(cluster.read("/cleaned")).isEqualTo(model.bytes);
            Await.result(file.sync());
            // At most: half of it dead, the group that is being filled, and those that were sealed last.
            long group = 16 * POLICY.stripeBytes();
            assertThat(patchBytes(located(client, "/cleaned")))
                    .isLessThan((long) (1.5 * model.bytes.length) + 3 * group);
        }
        assertThat(cluster.read("/cleaned")).isEqualTo(model.bytes);
    }

    @Test
    void aCompactedFileIsAnOrdinaryOneAgain() throws IOException {
        Model model = new Model(3);
        byte[] before = Pattern.bytes(3, 1_000_000);
        cluster.write("/compacted", before);
        model.put(0, before);
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            UpdatableFile file = Await.result(client.update(new FilePath("/compacted"), UpdateOptions.defaults()));
            all(model.write(file, 100, 3_000_000, 5_000));
            Await.result(file.compactAndClose());
            NamespaceReply.Located located = located(client, "/compacted");
            assertThat(located.patches()).isEmpty();
            assertThat(cluster.read("/compacted")).isEqualTo(model.bytes);
            byte[] more = Pattern.bytes(4, 50_000);
            try (EcfsOutputStream end = Await.result(client.append(new FilePath("/compacted"), false))) {
                end.write(more);
            }
            model.put(model.bytes.length, more);
            assertThat(cluster.read("/compacted")).isEqualTo(model.bytes);
        }
    }
}
