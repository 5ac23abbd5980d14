package io.ecfs.namenode.namespace.path;

import static io.ecfs.namenode.namespace.NamespaceRows.permissions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.namespace.NamespaceRows;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PathResolutionTest {
    private final NamespaceRows rows = new NamespaceRows();
    private final Inode a = rows.directory(rows.root, "a");
    private final Inode b = rows.directory(a, "b");
    private final Inode f = rows.file(b, "f");

    @AfterEach
    void close() {
        rows.close();
    }

    private PathResolution resolve(String path) throws EcfsException {
        return PathResolution.of(rows.transaction, new FilePath(path), permissions("eve"));
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aPathIsFollowedAsFarAsItExists() throws EcfsException {
        assertThat(resolve("/").found()).containsExactly(rows.root);
        assertThat(resolve("/a/b/f").found()).containsExactly(rows.root, a, b, f);
        assertThat(resolve("/a/b/f").missing()).isEmpty();
        assertThat(resolve("/a/b/none").found()).containsExactly(rows.root, a, b);
        assertThat(resolve("/a/b/none").missing()).containsExactly("none");
        assertThat(resolve("/x/b/f").found()).containsExactly(rows.root);
        assertThat(resolve("/x/b/f").missing()).containsExactly("x", "b", "f");
    }

    @Test
    void theTargetIsTheLastNameOfAPathThatExists() throws EcfsException {
        assertThat(resolve("/a/b/f").target()).isEqualTo(f);
        assertThat(resolve("/a/b/f").parent()).isEqualTo(b);
        assertThat(resolve("/a/b/f").file()).isEqualTo(f.body());
        assertThat(resolve("/a/b/g").last()).isEqualTo(b);
        refused(ErrorCode.NOT_FOUND, () -> resolve("/a/b/g").target());
        refused(ErrorCode.IS_A_DIRECTORY, () -> resolve("/a/b").file());
    }

    @Test
    void onlyTheLastNameMayBeMissingForANewEntry() throws EcfsException {
        assertThat(resolve("/a/b/new").directoryForMissing()).isEqualTo(b);
        refused(ErrorCode.NOT_FOUND, () -> resolve("/a/new/new").directoryForMissing());
    }

    @Test
    void aPathThroughAFileIsRefused() {
        refused(ErrorCode.PARENT_NOT_DIRECTORY, () -> resolve("/a/b/f/g"));
    }

    @Test
    void everyDirectoryOnThePathMustBeExecutable() throws EcfsException {
        for (Inode closed : List.of(rows.root, a, b)) {
            Inodes.put(
                    rows.transaction, closed.withAttributes(closed.attributes().withMode(0776)));
            refused(ErrorCode.ACCESS_DENIED, () -> resolve("/a/b/f"));
            Inodes.put(rows.transaction, closed);
        }
        Inodes.put(rows.transaction, f.withAttributes(f.attributes().withMode(0)));
        assertThat(resolve("/a/b/f").exists()).isTrue();
    }

    @Test
    void aDirectoryThatIsItselfTheTargetNeedNotBeExecutable() throws EcfsException {
        Inodes.put(rows.transaction, b.withAttributes(b.attributes().withMode(0)));
        assertThat(resolve("/a/b").exists()).isTrue();
    }

    @Test
    void theNearestDirectoryWithAPolicyDecides() throws EcfsException {
        Policy outer = Policy.parse("replication-3");
        Policy inner = Policy.parse("rs-3-2-64k");
        assertThat(resolve("/a/b/f").inherited(NamespaceRows.IDENTITY).policy()).isEqualTo(NamespaceRows.POLICY);
        Inodes.put(rows.transaction, a.withBody(directory(outer)));
        assertThat(resolve("/a/b/new").inherited(NamespaceRows.IDENTITY).policy())
                .isEqualTo(outer);
        Inodes.put(rows.transaction, b.withBody(directory(inner)));
        assertThat(resolve("/a/b/new").inherited(NamespaceRows.IDENTITY).policy())
                .isEqualTo(inner);
        assertThat(resolve("/a/new").inherited(NamespaceRows.IDENTITY).policy()).isEqualTo(outer);
        assertThat(resolve("/new").inherited(NamespaceRows.IDENTITY).policy()).isEqualTo(NamespaceRows.POLICY);
    }

    private static Inode.Directory directory(Policy policy) {
        return new Inode.Directory(DirectorySettings.ofPolicy(Optional.of(policy)));
    }
}
