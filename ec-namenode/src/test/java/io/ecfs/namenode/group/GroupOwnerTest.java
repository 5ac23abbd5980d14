package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.InodeId;
import org.junit.jupiter.api.Test;

class GroupOwnerTest {
    private static final InodeId FILE = new InodeId(300);

    @Test
    void aPackIsOfNoSingleFile() {
        assertThat(new GroupOwner.File(FILE).onlyFile()).contains(FILE);
        assertThat(new GroupOwner.Patch(FILE).onlyFile()).contains(FILE);
        assertThat(new GroupOwner.Pack(300).onlyFile()).isEmpty();
    }

    @Test
    void extentsAndPatchesOfOneFileAreDifferentOwners() {
        assertThat(new GroupOwner.File(FILE)).isNotEqualTo(new GroupOwner.Patch(FILE));
    }

    @Test
    void packsAreNumberedFromOne() {
        assertThat(new GroupOwner.Pack(1).pack()).isEqualTo(1);
        for (long number : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> new GroupOwner.Pack(number)).hasMessageContaining("must be positive: " + number);
        }
    }
}
