package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.VolumeAssertions.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The datanode's directory: one datanode, one cluster, one process, and what it remembers survives the loss of power.
 */
class DatanodeHomeTest {
    private static final DatanodeId DN = new DatanodeId("dn1");

    private final MemoryVolumeIo disk = new MemoryVolumeIo("home", 1 << 20, new Random(1));
    private long uuids;

    private DatanodeHome open() throws IOException {
        return open(DN);
    }

    private DatanodeHome open(DatanodeId datanode) throws IOException {
        return DatanodeHome.open(disk, datanode, () -> new UUID(0, ++uuids));
    }

    private String text(String file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) disk.length(file).orElseThrow());
        disk.read(file, 0, bytes);
        return new String(bytes.array(), StandardCharsets.UTF_8);
    }

    @Test
    void theFirstStartGivesItAUuidThatItKeeps() throws IOException {
        VolumeIdentity first;
        try (DatanodeHome home = open()) {
            first = home.identity();
            assertThat(first).isEqualTo(new VolumeIdentity("", "dn1", new UUID(0, 1).toString(), ""));
        }
        disk.restart(Loss.UNSYNCED);
        try (DatanodeHome home = open()) {
            assertThat(home.identity()).isEqualTo(first);
        }
    }

    @Test
    void anotherDatanodesHomeIsRefusedAndGivenBackAtOnce() throws IOException {
        open().close();
        assertCode(ErrorCode.WRONG_CLUSTER, () -> open(new DatanodeId("dn2")));
        open().close();
    }

    @Test
    void aSecondProcessIsKeptOut() throws IOException {
        try (DatanodeHome home = open()) {
            assertThat(home.identity().datanode()).isEqualTo("dn1");
            assertCode(ErrorCode.BUSY, () -> disk.lock());
        }
        disk.lock();
    }

    @Test
    void itJoinsOneClusterForGood() throws IOException {
        try (DatanodeHome home = open()) {
            home.bindCluster("one");
            long mutations = disk.mutations();
            home.bindCluster("one");
            assertThat(disk.mutations()).as("joined already").isEqualTo(mutations);
            assertCode(ErrorCode.WRONG_CLUSTER, () -> home.bindCluster("two"));
            assertThat(home.identity().clusterId()).isEqualTo("one");
        }
        disk.restart(Loss.UNSYNCED);
        try (DatanodeHome home = open()) {
            assertThat(home.identity().clusterId()).isEqualTo("one");
        }
    }

    @Test
    void whatWasOpenedAndMissedIsRememberedOnceItIsWritten() throws IOException {
        try (DatanodeHome home = open()) {
            assertThat(home.isNew("/data 1")).isTrue();
            home.opened("/data 1", "uuid1");
            home.missed("/data2");
            assertThat(home.isNew("/data 1")).isFalse();
            home.rememberVolumes();
            long mutations = disk.mutations();
            home.opened("/data 1", "uuid1");
            home.missed("/data 1");
            home.missed("/data2");
            home.rememberVolumes();
            assertThat(disk.mutations()).as("nothing new").isEqualTo(mutations);
        }
        disk.restart(Loss.UNSYNCED);
        try (DatanodeHome home = open()) {
            assertThat(home.volumeAt("/data 1")).contains("uuid1");
            assertThat(home.volumeAt("/data2")).isEmpty();
            assertThat(home.volumeAt("/data3")).isEmpty();
            assertThat(home.isNew("/data 1")).isFalse();
            assertThat(home.isNew("/data2")).isFalse();
            assertThat(home.isNew("/data3")).isTrue();
            home.opened("/data 1", "uuid2");
            home.opened("/data2", "uuid3");
            home.rememberVolumes();
        }
        try (DatanodeHome home = open()) {
            assertThat(home.volumeAt("/data 1")).contains("uuid2");
            assertThat(home.volumeAt("/data2")).contains("uuid3");
        }
    }

    /** It may have volumes of which it knows nothing: none that is empty is taken for a new one at its first start. */
    @Test
    void aHomeOfAnEarlierReleaseHasNoNewVolumeBeforeAScan() throws IOException {
        VersionFile.write(disk, new VolumeIdentity("one", "dn1", "u", ""));
        try (DatanodeHome home = open()) {
            assertThat(home.isNew("/data1")).isFalse();
            home.rememberVolumes();
        }
        try (DatanodeHome home = open()) {
            assertThat(home.isNew("/data1")).isTrue();
        }
    }

    @Test
    void aMemoryOfVolumesOfALaterReleaseIsRefused() throws IOException {
        open().close();
        TextFile.write(disk, "VOLUMES", Map.of("version", "2"));
        assertCode(ErrorCode.INCOMPATIBLE_VERSION, this::open);
        TextFile.write(disk, "VOLUMES", Map.of("volume.1", "u /p"));
        assertCode(ErrorCode.INCOMPATIBLE_VERSION, this::open);
        TextFile.write(disk, "VOLUMES", Map.of("version", "1", "volume.1", "u /p", "other", "v /q", "volume.2", "bad"));
        try (DatanodeHome home = open()) {
            assertThat(home.volumeAt("/p")).contains("u");
            assertThat(home.volumeAt("/q")).isEmpty();
        }
    }

    @Test
    void theEarlierLayoutIsRaisedAndAnUnknownOneIsRefused() throws IOException {
        open().close();
        TextFile.write(disk, "VERSION", Map.of("layoutVersion", "1", "datanode", "dn1", "datanodeUuid", "u"));
        try (DatanodeHome home = open()) {
            assertThat(home.identity()).isEqualTo(new VolumeIdentity("", "dn1", "u", ""));
        }
        assertThat(text("VERSION")).contains("layoutVersion=2\n").contains("datanodeUuid=u\n");
        for (String version : new String[] {"0", "3"}) {
            TextFile.write(disk, "VERSION", Map.of("layoutVersion", version, "datanode", "dn1"));
            String before = text("VERSION");
            assertCode(ErrorCode.INCOMPATIBLE_VERSION, this::open);
            assertThat(text("VERSION")).isEqualTo(before);
        }
        TextFile.write(disk, "VERSION", Map.of("datanode", "dn1"));
        assertCode(ErrorCode.INCOMPATIBLE_VERSION, this::open);
    }

    @Test
    void aDamagedFileIsNeverReplaced() throws IOException {
        open().close();
        String whole = text("VERSION");
        for (int at = 0; at < whole.length() - 1; at += 3) {
            disk.flipBit("VERSION", at, 0);
            assertCode(ErrorCode.MALFORMED, this::open);
            disk.flipBit("VERSION", at, 0);
        }
        disk.truncate("VERSION", whole.length() - 9);
        assertCode(ErrorCode.MALFORMED, this::open);
        disk.truncate("VERSION", 0);
        assertCode(ErrorCode.MALFORMED, this::open);
    }

    @Test
    void aTextFileRetainsValuesWithEqualSigns() throws IOException {
        assertThat(TextFile.read(disk, "note")).isEmpty();
        disk.create("note.new");
        TextFile.write(disk, "note", Map.of("key", "a=b=c"));
        assertThat(TextFile.read(disk, "note")).contains(Map.of("key", "a=b=c"));
        assertThat(disk.files()).containsExactly("note");
        TextFile.write(disk, "note", Map.of());
        assertThat(TextFile.read(disk, "note")).contains(Map.of());
    }
}
