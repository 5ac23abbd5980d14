package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.InodeId;
import org.junit.jupiter.api.Test;

class GroupOwnerTest {
    private static final InodeId FILE = new InodeId(300);

    @Test
    void aPackIsOfNoSingleFile() {
        assertThat(new GroupOwner.File(FILE).onlyFile()).contains(FILE);
        assertThat(new GroupOwner.Patch(FILE).onlyFile()).contains(FILE);
        assertThat(new GroupOwner.Pack(new InodeId(300)).onlyFile()).isEmpty();
    }

    @Test
    void theInodeOfItsWriterIsThatOfTheFileOrOfThePack() {
        assertThat(new GroupOwner.Pack(new InodeId(7)).inode()).isEqualTo(new InodeId(7));
        assertThat(new GroupOwner.File(new InodeId(8)).inode()).isEqualTo(new InodeId(8));
    }
}
