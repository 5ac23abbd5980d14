package io.ecfs.namenode.namespace.path;

import static io.ecfs.namenode.namespace.NamespaceRows.permissions;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.namespace.NamespaceRows;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PathsTest {
    private final NamespaceRows rows = new NamespaceRows();

    @AfterEach
    void close() {
        rows.close();
    }

    @Test
    void thePathOfAnInodeResolvesToIt() throws EcfsException {
        Random random = new Random(1);
        List<Inode> directories = new ArrayList<>(List.of(rows.root));
        for (int i = 0; i < 200; i++) {
            Inode parent = directories.get(random.nextInt(directories.size()));
            Inode child = random.nextBoolean() ? rows.directory(parent, "é" + i) : rows.file(parent, "é" + i);
            if (child.isDirectory()) {
                directories.add(child);
            }
            FilePath path = Paths.find(rows.transaction, child).orElseThrow();
            assertThat(PathResolution.of(rows.transaction, path, permissions("eve"))
                            .target())
                    .isEqualTo(child);
        }
        assertThat(Paths.find(rows.transaction, rows.root)).contains(FilePath.ROOT);
    }

    @Test
    void anInodeBelowAnUnlinkedDirectoryHasNoPath() {
        Inode directory = rows.directory(rows.root, "d");
        Inode file = rows.file(rows.directory(directory, "e"), "f");
        Inodes.put(rows.transaction, directory.unlinked());
        assertThat(Paths.find(rows.transaction, file)).isEmpty();
        assertThat(Paths.find(rows.transaction, directory.unlinked())).isEmpty();
    }

    @Test
    void aPathOfTooManyBytesIsNamedByItsInode() {
        Inode at = rows.root;
        String name = "n".repeat(199);
        for (int depth = 1; depth <= 41; depth++) {
            at = rows.directory(at, name);
            String text = ("/" + name).repeat(depth);
            boolean fits = text.length() <= FilePath.MAX_BYTES;
            assertThat(fits).isEqualTo(depth <= 40);
            assertThat(Paths.find(rows.transaction, at))
                    .contains(new FilePath(
                            fits ? text : "/.reserved/.inodes/" + at.id().value()));
        }
    }

    @Test
    void aPathOfTooManyNamesIsNamedByItsInode() {
        Inode at = rows.root;
        for (int depth = 1; depth <= FilePath.MAX_DEPTH; depth++) {
            at = rows.directory(at, "d");
        }
        assertThat(Paths.find(rows.transaction, at)).contains(new FilePath("/d".repeat(FilePath.MAX_DEPTH)));
        Inode below = rows.directory(at, "d");
        assertThat(Paths.find(rows.transaction, below))
                .contains(new FilePath("/.reserved/.inodes/" + below.id().value()));
    }
}
