package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubtreeRightsTest {
    private static final Caller EVE = new Caller("eve", List.of());

    private final NamespaceRows rows = new NamespaceRows();

    @AfterEach
    void close() {
        rows.close();
    }

    private Inode directory(Inode parent, String name, int mode, String owner) {
        return rows.add(
                parent, name, new Attributes(mode, owner, "staff", 0, 0), new Inode.Directory(DirectorySettings.NONE));
    }

    private boolean mayRemove(Inode top) {
        try {
            SubtreeRights.check(rows.scope(EVE), top, new FilePath("/top"));
            return true;
        } catch (EcfsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
            return false;
        }
    }

    @Test
    void everyDirectoryThatIsNotEmptyMustLetTheCallerDoAll() {
        for (int mode = 0; mode < 8; mode++) {
            Inode top = directory(rows.root, "top" + mode, 0777, "bob");
            Inode middle = directory(top, "middle", mode, "bob");
            assertThat(mayRemove(top)).as("empty, mode %o", mode).isTrue();
            directory(middle, "child", 0, "bob");
            assertThat(mayRemove(top)).as("mode %o", mode).isEqualTo(mode == 7);
        }
    }

    @Test
    void aStickyDirectoryGivesAwayOnlyTheCallersOwn() {
        Inode top = directory(rows.root, "top", 0777, "bob");
        Inode sticky = directory(top, "sticky", 01777, "bob");
        directory(sticky, "mine", 0700, "eve");
        assertThat(mayRemove(top)).isTrue();
        directory(sticky, "others", 0777, "bob");
        assertThat(mayRemove(top)).isFalse();
    }

    @Test
    void everyPageOfNamesIsChecked() {
        Inode top = directory(rows.root, "top", 01777, "bob");
        for (int i = 0; i < 1000; i++) {
            directory(top, "n" + i, 0700, "eve");
        }
        assertThat(mayRemove(top)).isTrue();
        directory(top, "z", 0700, "bob");
        assertThat(mayRemove(top)).isFalse();
    }
}
