package io.ecfs.namenode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.log.LogIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamenodeHomeTest {
    @TempDir
    private Path directory;

    private NamenodeHome open(String namenode, String cluster) throws IOException {
        return NamenodeHome.open(directory, namenode, cluster);
    }

    private static LogIdentity log(String cluster, int number) {
        return new LogIdentity(cluster, new UUID(0, number));
    }

    private static void refused(ThrowingCallable call, ErrorCode code, String... says) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(says);
    }

    @Test
    void oneAtATime() throws IOException {
        NamenodeHome first = open("nn0", "c");
        refused(() -> open("nn0", "c"), ErrorCode.BUSY, "nn0", directory.toString());
        first.close();
        open("nn0", "c").close();
    }

    @Test
    void isItsOwnersAlone() throws IOException {
        Path home = directory.resolve("home");
        NamenodeHome.open(home, "nn0", "c").close();
        assertThat(mode(home)).isEqualTo("rwx------");
        assertThat(mode(home.resolve("VERSION"))).isEqualTo("rw-------");
        assertThat(mode(home.resolve("LOCK"))).isEqualTo("rw-------");
        Files.setPosixFilePermissions(
                home, PosixFilePermissions.fromString("rwxr-xr-x")); // as earlier releases made it
        NamenodeHome.open(home, "nn0", "c").close();
        assertThat(mode(home)).isEqualTo("rwx------");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxr-x"));
        refused(
                () -> NamenodeHome.open(home, "nn0", "c"),
                ErrorCode.ACCESS_DENIED,
                "may be written by other users",
                "'chmod 700 " + home + "'");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void belongsToItsNamenodeAndClusterForGood() throws IOException {
        try (NamenodeHome home = open("nn0", "c")) {
            assertThat(home.log()).isEmpty();
            home.bind(log("id-1", 1));
            home.bind(log("id-1", 1));
        }
        refused(() -> open("nn1", "c"), ErrorCode.WRONG_CLUSTER, "namenode nn0", "nn1");
        refused(() -> open("nn0", "d"), ErrorCode.WRONG_CLUSTER, "cluster c", "d");
        try (NamenodeHome home = open("nn0", "c")) {
            assertThat(home.log()).contains(log("id-1", 1));
            refused(() -> home.bind(log("id-2", 1)), ErrorCode.WRONG_CLUSTER, "id-1", "id-2");
            refused(
                    () -> home.bind(log("id-1", 2)),
                    ErrorCode.WRONG_CLUSTER,
                    log("id-1", 2).toString());
        }
    }

    @Test
    void anotherLayoutVersionIsLeftAlone() throws IOException {
        open("nn0", "c").close();
        Path version = directory.resolve("VERSION");
        Files.writeString(version, Files.readString(version).replace("layoutVersion=2", "layoutVersion=9"));
        refused(() -> open("nn0", "c"), ErrorCode.INCOMPATIBLE_VERSION, "9", "nothing was changed");
        assertThat(Files.readString(version)).contains("layoutVersion=9");
    }

    @Test
    void theFirstLayoutIsReadAndReplacedWhenItsLogIsKnown() throws IOException {
        Path version = directory.resolve("VERSION");
        Files.writeString(version, "cluster=c\nclusterId=id-1\nlayoutVersion=1\nnamenode=nn0\n");
        try (NamenodeHome home = open("nn0", "c")) {
            assertThat(home.log()).isEmpty();
            assertThat(home.clusterId()).contains("id-1");
            refused(() -> home.bind(log("id-2", 1)), ErrorCode.WRONG_CLUSTER, "id-1");
            assertThat(Files.readString(version)).contains("layoutVersion=1");
            home.bind(LogIdentity.ofCluster("id-1"));
        }
        assertThat(Files.readString(version)).contains("layoutVersion=2");
        try (NamenodeHome home = open("nn0", "c")) {
            assertThat(home.log()).contains(LogIdentity.ofCluster("id-1"));
        }
    }
}
