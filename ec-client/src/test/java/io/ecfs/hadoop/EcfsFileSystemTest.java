package io.ecfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.Bytes;
import io.ecfs.client.Clusters;
import io.ecfs.layout.Policy;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EcfsFileSystemTest {
    private static final URI NAME = URI.create("ecfs://nn0:1,nn1:1/ignored");

    private Clusters cluster;
    private FileSystem fs;

    @BeforeEach
    void open() throws IOException {
        cluster = new Clusters(5, Policy.parse("rs-3-2-4k"));
        fs = new BulkFileSystem(cluster.client());
        fs.initialize(NAME, new Configuration(false));
    }

    @AfterEach
    void close() throws IOException {
        Awaitility.await().until(() -> cluster.onLoan() == 0);
        fs.close();
        cluster.close();
    }

    private void write(Path path, int length) throws IOException {
        try (FSDataOutputStream out = fs.create(path)) {
            out.write(Bytes.range(0, length));
        }
    }

    @Test
    void serviceLoaderFindsTheScheme() throws IOException {
        assertThat(FileSystem.getFileSystemClass("ecfs", new Configuration())).isEqualTo(BulkFileSystem.class);
    }

    @Test
    void authorityWithSeveralNamenodesStaysWhole() {
        assertThat(fs.getUri()).hasToString("ecfs://nn0:1,nn1:1");
        assertThat(fs.makeQualified(new Path("/a"))).hasToString("ecfs://nn0:1,nn1:1/a");
        assertThat(fs.getHomeDirectory().toUri().getPath()).startsWith("/user/");
    }

    @Test
    void fileIsWrittenReadSoughtAndReadAtPositions() throws IOException {
        Path file = new Path("/dir/file");
        write(file, 100_000);
        try (FSDataInputStream in = fs.open(file)) {
            assertThat(in.readAllBytes()).isEqualTo(Bytes.range(0, 100_000));
            assertThat(in.read()).isEqualTo(-1);
            in.seek(77_777);
            assertThat(in.read()).isEqualTo(Bytes.at(77_777) & 0xFF);
            assertThat(in.getPos()).isEqualTo(77_778);
            byte[] some = new byte[5000];
            in.readFully(12_000, some);
            assertThat(some).isEqualTo(Bytes.range(12_000, 17_000));
            assertThat(in.getPos()).isEqualTo(77_778);
            assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> in.seek(100_001)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> in.readFully(99_999, some)).isInstanceOf(EOFException.class);
        }
        FileStatus status = fs.getFileStatus(file);
        assertThat(status.getLen()).isEqualTo(100_000);
        assertThat(status.isErasureCoded()).isTrue();
        assertThat(status.getReplication()).isEqualTo((short) 1);
    }

    @Test
    void streamsTellTheTruthAboutWhatTheyCan() throws IOException {
        try (FSDataOutputStream out = fs.create(new Path("/f"))) {
            assertThat(out.hasCapability(StreamCapabilities.HSYNC)).isTrue();
            assertThat(out.hasCapability("abortStream")).isFalse();
            out.write(1);
            out.hsync();
            try (FSDataInputStream in = fs.open(new Path("/f"))) {
                assertThat(in.readAllBytes()).containsExactly(1);
            }
        }
        try (FSDataInputStream in = fs.open(new Path("/f"))) {
            assertThat(in.hasCapability(StreamCapabilities.PREADBYTEBUFFER)).isTrue();
            assertThat(in.hasCapability(StreamCapabilities.DROPBEHIND)).isFalse();
        }
    }

    @Test
    void createObeysOverwriteParentsAndKinds() throws IOException {
        write(new Path("/f"), 10);
        assertThatThrownBy(() -> fs.create(new Path("/f"), false)).isInstanceOf(FileAlreadyExistsException.class);
        fs.create(new Path("/f"), true).close();
        assertThat(fs.getFileStatus(new Path("/f")).getLen()).isZero();
        assertThatThrownBy(() -> fs.create(new Path("/f/below"), true)).isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> fs.createFile(new Path("/none/f")).build()).isInstanceOf(FileNotFoundException.class);
        fs.createFile(new Path("/some/f")).recursive().build().close();
        fs.mkdirs(new Path("/d"));
        assertThatThrownBy(() -> fs.create(new Path("/d"), true)).isInstanceOf(FileAlreadyExistsException.class);
        fs.create(
                        new Path("/sync"),
                        FsPermission.getFileDefault(),
                        EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
                        4096,
                        (short) 1,
                        1L << 20,
                        null,
                        null)
                .close();
        assertThat(fs.getFileStatus(new Path("/sync")).getPermission()).isEqualTo(new FsPermission((short) 0644));
    }

    @Test
    void openingWhatIsNoFileFails() throws IOException {
        fs.mkdirs(new Path("/d"));
        assertThatThrownBy(() -> fs.open(new Path("/none"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.open(new Path("/d")))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("is a directory");
        assertThatThrownBy(() -> fs.open(new Path("/" + "b".repeat(300))))
                .isInstanceOf(InvalidPathException.class)
                .hasMessageContaining("255");
    }

    @Test
    void renameAnswersAsHdfsDoes() throws IOException {
        write(new Path("/a/f"), 10);
        fs.mkdirs(new Path("/b"));
        assertThat(fs.rename(new Path("/none"), new Path("/x"))).isFalse();
        assertThat(fs.rename(new Path("/a/f"), new Path("/a/f"))).isTrue();
        assertThat(fs.rename(new Path("/a/f"), new Path("/b"))).isTrue();
        assertThat(fs.exists(new Path("/b/f"))).isTrue();
        write(new Path("/c"), 5);
        assertThat(fs.rename(new Path("/c"), new Path("/b/f"))).isFalse();
        assertThat(fs.rename(new Path("/b"), new Path("/b/inside"))).isFalse();
        assertThat(fs.rename(new Path("/b"), new Path("/nowhere/b"))).isFalse();
        assertThat(fs.rename(new Path("/"), new Path("/b/root"))).isFalse();
        assertThat(fs.rename(new Path("/b"), new Path("/e"))).isTrue();
        try (FSDataInputStream in = fs.open(new Path("/e/f"))) {
            assertThat(in.readAllBytes()).isEqualTo(Bytes.range(0, 10));
        }
    }

    @Test
    void deleteAnswersAsHdfsDoes() throws IOException {
        write(new Path("/a/f"), 10);
        assertThat(fs.delete(new Path("/none"), true)).isFalse();
        assertThatThrownBy(() -> fs.delete(new Path("/a"), false)).isInstanceOf(PathIsNotEmptyDirectoryException.class);
        assertThat(fs.delete(new Path("/a"), true)).isTrue();
        assertThat(fs.exists(new Path("/a/f"))).isFalse();
        assertThat(fs.delete(new Path("/"), true)).isFalse();
    }

    @Test
    void directoriesOfMoreThanOnePageListWhole() throws IOException {
        for (int i = 0; i < 1003; i++) {
            fs.mkdirs(new Path("/d/" + i));
        }
        assertThat(fs.listStatus(new Path("/d"))).hasSize(1003);
        List<String> names = new ArrayList<>();
        RemoteIterator<FileStatus> entries = fs.listStatusIterator(new Path("/d"));
        while (entries.hasNext()) {
            names.add(entries.next().getPath().getName());
        }
        assertThat(names).hasSize(1003).doesNotHaveDuplicates();
        assertThatThrownBy(() -> fs.listStatus(new Path("/none"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void locationsNameTheDatanodesOfEveryStretch() throws IOException {
        Path file = new Path("/f");
        try (FSDataOutputStream out = fs.create(file)) {
            out.write(Bytes.range(0, 10_000));
        }
        try (FSDataOutputStream out = fs.append(file)) {
            assertThat(out.getPos()).isEqualTo(10_000);
            out.write(Bytes.range(10_000, 30_000));
        }
        BlockLocation[] blocks = fs.getFileBlockLocations(fs.getFileStatus(file), 0, 30_000);
        assertThat(Arrays.stream(blocks).mapToLong(BlockLocation::getLength)).containsExactly(10_000L, 20_000L);
        assertThat(blocks[1].getOffset()).isEqualTo(10_000);
        assertThat(blocks[0].getHosts()).hasSize(3).allMatch(h -> h.startsWith("dn"));
        assertThat(fs.getFileBlockLocations(file, 30_000, 10)).isEmpty();
        BlockLocation[] few = fs.getFileBlockLocations(file, 5, 10);
        assertThat(few).hasSize(1);
        assertThat(few[0].getHosts()).hasSize(1);
    }

    @Test
    void checksumIsThatOfTheContentWhateverTheLayout() throws IOException {
        write(new Path("/one"), 50_000);
        try (FSDataOutputStream out = fs.create(new Path("/two"))) {
            out.write(Bytes.range(0, 20_000));
            out.hflush();
            out.write(Bytes.range(20_000, 50_000));
        }
        CRC32C expected = new CRC32C();
        expected.update(Bytes.range(0, 50_000));
        CompositeCrcFileChecksum one = (CompositeCrcFileChecksum) fs.getFileChecksum(new Path("/one"));
        assertThat(one.getBytes())
                .isEqualTo(java.nio.ByteBuffer.allocate(4)
                        .putInt((int) expected.getValue())
                        .array());
        assertThat(one).isEqualTo(fs.getFileChecksum(new Path("/two")));
        assertThat(one.getAlgorithmName()).isEqualTo("COMPOSITE-CRC32C");
    }

    @Test
    void spaceIsTheClusters() throws IOException {
        assertThat(fs.getStatus().getCapacity()).isEqualTo(1000);
        assertThat(fs.getStatus().getRemaining()).isEqualTo(700);
    }
}
