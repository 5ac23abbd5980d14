package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.Write;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are updated in place, on a real cluster in one process. */
class UpdatedFilesTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final int PAGE = 4096;

    /** Begin of each page that is written: imitates a batch that cuts the file. */
    private static final ByteBuffer FORGED =
            PatchBatch.plan(0, 1L << 40, 1, List.of(new Write(0, 1))).head(0);

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
                for (int at = 0; at + FORGED.capacity() <= data.length; at += PAGE) {
                    FORGED.get(0, data, at, FORGED.capacity());
                }
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
            for (int round = 0; round < 12; round++) {
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

    /** Its pieces are 512 bytes, 384 of them a stripe: once they are written in order, the group before has nothing. */
    @Test
    void aFileThatIsReadInOrderIsMergedWhileItIsOpen() throws IOException {
        Model model = new Model(17);
        byte[] whole = Pattern.bytes(17, 17 * (int) POLICY.stripeBytes());
        model.put(0, whole);
        FilePath path = new FilePath("/scattered");
        try (EcfsClient client = TestCluster.client(cluster.uri());
                UpdatableFile file = Await.result(client.update(path, NEW.spare(100)))) {
            Await.result(file.write(0, ByteBuffer.wrap(whole)));
            List<CompletableFuture<Void>> writes = new ArrayList<>();
            for (int at = 0; at < whole.length; at += 1024) {
                byte[] data = Pattern.bytes(at + 18, 512);
                model.put(at, data);
                writes.add(file.write(at, ByteBuffer.wrap(data)));
            }
            all(writes);
            GroupId first = sealed(client, path).get(0);
            ByteBuffer some = ByteBuffer.allocate(10);
            Await.result(file.read(whole.length / 2 - 10, some));
            assertThat(Await.result(file.read(whole.length / 2, some.clear()))).isEqualTo(10);
            await().atMost(TestCluster.PATIENCE)
                    .until(() -> !sealed(client, path).contains(first));
            assertThat(read(file)).isEqualTo(model.bytes);
        }
        assertThat(cluster.read("/scattered")).isEqualTo(model.bytes);
    }

    private static List<GroupId> sealed(EcfsClient client, FilePath path) throws IOException {
        return located(client, path.text()).patches().stream()
                .flatMap(patches -> patches.sealed().stream())
                .map(PatchGroup::group)
                .toList();
    }

    @Test
    void operatorsSeePatchesAndHaveThemCompacted() throws IOException {
        Model model = new Model(5);
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            try (UpdatableFile file = Await.result(client.update(new FilePath("/image"), NEW))) {
                all(model.write(file, 50, 1_000_000, 9_000));
            }
        }
        JsonNode patches = Ecfs.run("admin", "patches", "/image", "--cluster", cluster.uri(), "--json")
                .well()
                .json();
        assertThat(patches.at("/patches/0/indexed").asBoolean()).isTrue();
        assertThat(patches.at("/open").asBoolean()).isFalse();
        Ecfs compacted = Ecfs.run("admin", "compact", "/image", "--cluster", cluster.uri())
                .well();
        assertThat(compacted.text()).contains("/image has no patches");
        assertThat(cluster.read("/image")).isEqualTo(model.bytes);
        Ecfs missing = Ecfs.run("admin", "compact", "/none", "--cluster", cluster.uri());
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err().lines()).hasSize(1);
    }

    @Test
    void whatATruncationTookReadsAsZerosWhenTheFileGrowsAgain() throws IOException {
        byte[] before = Pattern.bytes(6, 1_000_000);
        cluster.write("/truncated", before);
        byte[] more = Pattern.bytes(7, 10_000);
        byte[] wanted = Arrays.copyOf(Arrays.copyOf(before, 500_000), 710_000);
        System.arraycopy(more, 0, wanted, 700_000, more.length);
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            try (UpdatableFile file =
                    Await.result(client.update(new FilePath("/truncated"), UpdateOptions.defaults()))) {
                Await.result(file.write(900_000, ByteBuffer.wrap(more)));
                Await.result(file.truncate(500_000));
                assertThat(cluster.read("/truncated")).isEqualTo(Arrays.copyOf(before, 500_000));
                Await.result(file.write(700_000, ByteBuffer.wrap(more)));
                assertThat(read(file)).isEqualTo(wanted);
                assertThat(cluster.read("/truncated")).isEqualTo(wanted);
            }
            assertThat(cluster.read("/truncated")).isEqualTo(wanted);
            UpdatableFile again = Await.result(client.update(new FilePath("/truncated"), UpdateOptions.defaults()));
            assertThat(read(again)).isEqualTo(wanted);
            Await.result(again.truncate(600_000));
            Await.result(again.compactAndClose());
            assertThat(cluster.read("/truncated")).isEqualTo(Arrays.copyOf(wanted, 600_000));
            assertThat(located(client, "/truncated").patches()).isEmpty();
        }
    }

    private static UpdatableFile update(EcfsClient client, String path) throws IOException {
        return Await.result(client.update(new FilePath(path), NEW));
    }

    private static byte[] whole(EcfsClient client, String path) throws IOException {
        try (UpdatableFile file = update(client, path)) {
            return read(file);
        }
    }

    private static EcfsException failureOf(ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(EcfsException.class, call);
    }

    private static void assertRefused(CompletableFuture<?> call, String message) {
        EcfsException refusal = failureOf(() -> Await.result(call));
        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(refusal.getMessage()).contains(message).doesNotContain("\n");
    }

    @Test
    void anotherClientGoesOnWhereALostOneStopped() throws IOException {
        Model model = new Model(2);
        EcfsClient gone = TestCluster.client(cluster.uri(), "leaseRenewal=1h");
        UpdatableFile lost = update(gone, "/lost");
        all(model.write(lost, 60, 400_000, 30_000));
        FileReader opened = Await.result(cluster.client().open(new FilePath("/lost")));
        await("the file is closed by recovery")
                .atMost(TestCluster.PATIENCE)
                .until(() -> !Await.result(cluster.client().status(new FilePath("/lost")))
                        .open());
        ByteBuffer read = ByteBuffer.allocate((int) opened.length());
        assertThat(opened.read(0, read)).isEqualTo(model.bytes.length);
        assertThat(read.array()).isEqualTo(model.bytes);
        await("the lost client's lease ends").atMost(TestCluster.PATIENCE).until(() -> {
            try (UpdatableFile file = update(cluster.client(), "/lost")) {
                assertThat(read(file)).isEqualTo(model.bytes);
                assertThat(cluster.read("/lost")).isEqualTo(model.bytes);
                all(model.write(file, 20, 400_000, 30_000));
                return true;
            } catch (EcfsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.LEASE_CONFLICT);
                return false;
            }
        });
        assertThat(failureOf(() -> Await.result(lost.write(0, ByteBuffer.allocate(1))))
                        .code())
                .isEqualTo(ErrorCode.LEASE_CONFLICT);
        assertThat(cluster.read("/lost")).isEqualTo(model.bytes);
        gone.close();
    }

    @Test
    void aSecondUpdaterIsToldTheHostOfTheFirst() throws IOException {
        try (EcfsClient client = TestCluster.client(cluster.uri());
                UpdatableFile first = update(client, "/second")) {
            all(List.of(first.write(0, ByteBuffer.allocate(1))));
            EcfsException refusal = failureOf(() -> update(cluster.client(), "/second"));
            assertThat(refusal.code()).isEqualTo(ErrorCode.LEASE_CONFLICT);
            assertThat(refusal.getMessage())
                    .matches("/second is open: it is being written by another client at (127\\.0\\.0\\.1|localhost)");
        }
    }

    @Test
    void badInputIsRefusedInOneLineAndTheFileGoesOn() throws IOException {
        EcfsClient client = cluster.client();
        assertRefused(client.update(new FilePath("/bad"), NEW.spare(0)), "spare must be above 0");
        UpdatableFile file = update(client, "/bad");
        assertRefused(file.write(-1, ByteBuffer.allocate(1)), "-1");
        assertRefused(file.write(1L << 50, ByteBuffer.allocate(1)), String.valueOf(1L << 50));
        assertRefused(file.write(0, ByteBuffer.allocate((64 << 20) + 1)), String.valueOf((64 << 20) + 1));
        assertRefused(file.read(-1, ByteBuffer.allocate(1)), "-1");
        assertRefused(file.truncate(-1), "-1");
        assertRefused(file.truncate((1L << 50) + 1), String.valueOf((1L << 50) + 1));
        all(List.of(file.write(0, ByteBuffer.wrap(new byte[] {7}))));
        file.close();
        file.close();
        assertRefused(file.write(0, ByteBuffer.allocate(1)), "/bad is closed");
        assertRefused(file.read(0, ByteBuffer.allocate(1)), "/bad is closed");
        assertRefused(file.sync(), "/bad is closed");
        assertThat(cluster.read("/bad")).isEqualTo(new byte[] {7});
    }

    @Test
    void whatWasCutOffAndWhatWasNeverWrittenReadsAsZeros() throws IOException {
        byte[] expected = new byte[700_000];
        byte[] data = Pattern.bytes(3, 300_000);
        try (UpdatableFile file = update(cluster.client(), "/holes")) {
            all(List.of(
                    file.write(100_000, ByteBuffer.wrap(data)),
                    file.truncate(150_000),
                    file.truncate(500_000),
                    file.write(600_000, ByteBuffer.wrap(data, 0, 100_000))));
            System.arraycopy(data, 0, expected, 100_000, 50_000);
            System.arraycopy(data, 0, expected, 600_000, 100_000);
            assertThat(read(file)).isEqualTo(expected);
            assertThat(cluster.read("/holes")).isEqualTo(expected);
        }
        assertThat(cluster.read("/holes")).isEqualTo(expected);
        try (UpdatableFile file = update(cluster.client(), "/holes")) {
            all(List.of(file.truncate(0), file.truncate(10)));
        }
        assertThat(cluster.read("/holes")).isEqualTo(new byte[10]);
        assertThat(whole(cluster.client(), "/holes")).isEqualTo(new byte[10]);
    }

    /** A page filled with one number, greater with every write. */
    private static ByteBuffer page(long version) {
        ByteBuffer page = ByteBuffer.allocate(PAGE);
        while (page.hasRemaining()) {
            page.putLong(version);
        }
        return page.flip();
    }

    @Test
    void aReaderThatStaysOpenSeesNothingOlderThanWhenItOpened() throws IOException {
        int pages = 40;
        int rounds = 30;
        try (UpdatableFile file = update(cluster.client(), "/watched");
                EcfsClient other = TestCluster.client(cluster.uri())) {
            List<FileReader> readers = new ArrayList<>();
            for (long round = 1; round <= rounds; round++) { // 16 stripes are written every 20 rounds
                List<CompletableFuture<Void>> written = new ArrayList<>();
                for (int page = 0; page < pages; page++) {
                    written.add(file.write((long) page * PAGE, page(round)));
                }
                readers.stream().skip(Math.max(0, readers.size() - 3)).forEach(reader -> assertSeen(reader, pages));
                all(written);
                readers.add(Await.result(other.open(new FilePath("/watched"))));
            }
            for (int opened = 0; opened < rounds; opened++) {
                assertThat(oldest(readers.get(opened), pages)).isBetween(opened + 1L, (long) rounds);
            }
        }
    }

    private static void assertSeen(FileReader reader, int pages) {
        assertThatCode(() -> oldest(reader, pages)).doesNotThrowAnyException();
    }

    private static long oldest(FileReader reader, int pages) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(pages * PAGE);
        assertThat(reader.read(0, bytes)).isEqualTo(bytes.capacity());
        long oldest = Long.MAX_VALUE;
        for (int page = 0; page < pages; page++) {
            long version = bytes.getLong(page * PAGE);
            assertThat(bytes.slice(page * PAGE, PAGE)).as("page " + page).isEqualTo(page(version));
            oldest = Math.min(oldest, version);
        }
        return oldest;
    }

    @Test
    void anOrdinaryFileAndAPackedOneAreUpdated() throws IOException {
        byte[] big = Pattern.bytes(5, 900_000);
        byte[] small = Pattern.bytes(6, 5_000);
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            TestCluster.write(client, "/big", big);
            TestCluster.write(client, "/small", small);
            for (String path : List.of("/big", "/small")) {
                byte[] expected = cluster.read(path);
                try (UpdatableFile file = update(client, path)) {
                    assertThat(read(file)).isEqualTo(expected);
                    all(List.of(file.write(1_000, ByteBuffer.wrap(small, 0, 700))));
                    System.arraycopy(small, 0, expected, 1_000, 700);
                    assertThat(read(file)).isEqualTo(expected);
                    assertThat(cluster.read(path)).isEqualTo(expected);
                }
                assertThat(cluster.read(path)).as("closed").isEqualTo(expected);
                try (UpdatableFile file = update(client, path)) {
                    all(List.of(file.truncate(2_000)));
                }
                assertThat(cluster.read(path)).as("cut").isEqualTo(Arrays.copyOf(expected, 2_000));
            }
        }
    }

    @Test
    void hadoopReadsPatchesAndNobodyAppendsBehindThem() throws Exception {
        Model model = new Model(4);
        try (UpdatableFile file = update(cluster.client(), "/hadoop")) {
            all(model.write(file, 30, 300_000, 20_000));
        }
        try (FileSystem hadoop = FileSystem.newInstance(URI.create(cluster.uri()), new Configuration());
                FSDataInputStream in = hadoop.open(new org.apache.hadoop.fs.Path("/hadoop"))) {
            assertThat(in.readAllBytes()).isEqualTo(model.bytes);
            byte[] part = new byte[1_000];
            in.readFully(123_456, part);
            assertThat(part).isEqualTo(Arrays.copyOfRange(model.bytes, 123_456, 124_456));
        }
        assertRefused(cluster.client().append(new FilePath("/hadoop"), false), "patches: compact it first");
        assertThat(cluster.read("/hadoop")).isEqualTo(model.bytes);
    }

    @Test
    void writesOfSeveralStripesSurviveTheEndOfADatanodeInTheirMiddle() throws Exception {
        int stripes = (int) POLICY.stripeBytes();
        Model model = new Model(5);
        try (EcfsClient client = TestCluster.client(cluster.uri());
                UpdatableFile file = update(client, "/cut")) {
            List<CompletableFuture<Void>> written = model.write(file, 60, 40 * stripes, 8 * stripes);
            Await.result(written.get(0)); // the others are under way
            String holder =
                    cluster.layout("/cut").at("/groups/0/chunks/0/datanode").asText();
            cluster.stop(holder.isEmpty() ? "dn0" : holder);
            all(written);
            assertThat(read(file)).isEqualTo(model.bytes);
            assertThat(cluster.read("/cut")).isEqualTo(model.bytes);
            cluster.start(holder.isEmpty() ? "dn0" : holder);
        }
        assertThat(cluster.read("/cut")).isEqualTo(model.bytes);
        assertThat(whole(cluster.client(), "/cut")).isEqualTo(model.bytes);
    }

    @Test
    @Tag("soak")
    void aFileOfManyTinyPiecesIsCompacted() throws IOException {
        int pieces = 70_000; // more than a batch has writes
        byte[] record = Pattern.bytes(8, 16);
        Model model = new Model(8);
        model.bytes = new byte[pieces * 100];
        List<CompletableFuture<Void>> written = new ArrayList<>();
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            UpdatableFile file = update(client, "/pieces");
            for (int i = 0; i < pieces; i++) {
                model.put(i * 100L, record);
                written.add(file.write(i * 100L, ByteBuffer.wrap(record)));
            }
            written.add(file.truncate(model.bytes.length));
            all(written);
            for (int i = 0; i < 10_000; i++) {
                written.add(file.write(0, ByteBuffer.allocate(0)));
            }
            all(written);
            Await.result(file.compactAndClose());
            assertThat(located(client, "/pieces").patches()).isEmpty();
            assertThat(cluster.read("/pieces")).isEqualTo(model.bytes);
        }
    }
}
