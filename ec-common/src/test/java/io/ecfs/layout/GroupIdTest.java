package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GroupIdTest {
    @Test
    void anIdIsShardEpochAndNumberAndAlwaysPositive() {
        GroupId last = GroupId.of(GroupId.MAX_EPOCH, GroupId.MAX_NUMBER);
        assertThat(last.shard()).isZero();
        assertThat(last.epoch()).isEqualTo(4095);
        assertThat(last.number()).isEqualTo((1L << 39) - 1);
        GroupId all = new GroupId(Long.MAX_VALUE);
        assertThat(all.shard()).isEqualTo(4095);
        assertThat(new GroupId(last.value() + 1).shard()).isEqualTo(1);
        assertThat(GroupId.of(0, 17)).isEqualTo(new GroupId(17)).hasToString("g17");
        assertThat(GroupId.of(2, 17))
                .isGreaterThan(GroupId.of(1, GroupId.MAX_NUMBER))
                .hasToString("g2:17");
        assertThat(new GroupId(last.value() + 1)).hasToString("g1:0:0");
    }

    @Test
    void noNumberSpillsIntoTheEpochAndNoneIsNegative() {
        assertThatThrownBy(() -> GroupId.of(0, GroupId.MAX_NUMBER + 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GroupId.of(GroupId.MAX_EPOCH + 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GroupId.of(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new GroupId(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void itsTextAndItsValueAreReadBack() {
        for (GroupId group : new GroupId[] {new GroupId(17), GroupId.of(2, 17), new GroupId(Long.MAX_VALUE)}) {
            assertThat(GroupId.parse(group.toString())).isEqualTo(group);
            assertThat(GroupId.parse("" + group.value())).isEqualTo(group);
        }
        for (String text : new String[] {"", "g", "x17", "0", "-1", "1:2:3:4", "g9999:1", "g17.2"}) {
            assertThatThrownBy(() -> GroupId.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
