package io.ecfs.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.report.PackUse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PackTotalsTest {
    private static PackUse pack(long group, long length, long liveBytes) {
        return new PackUse(new GroupId(group), length, liveBytes, Optional.empty(), Optional.empty());
    }

    private static PackTotals sum(Optional<Double> cleanBelow, PackUse... packs) {
        return PackTotals.NONE.plus(
                new NamespaceReply.Packs(List.of(packs), 0, cleanBelow, cleanBelow.map(below -> 0.3)));
    }

    @Test
    void sealedGroupsBelowTheThresholdAreSparse() {
        assertThat(sum(Optional.of(0.6), pack(1, 100, 59), pack(2, 100, 60), pack(3, -1, 50), pack(4, 10, 1)))
                .isEqualTo(new PackTotals(4, 1, 210, 120, Optional.of(0.6), Optional.of(0.3), 2, 50));
    }

    @Test
    void withoutAThresholdNoGroupIsSparse() {
        assertThat(sum(Optional.empty(), pack(1, 100, 1)).sparse()).isZero();
    }
}
