package io.ecfs.namenode.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DamageLedgerTest {
    private static final GroupId GROUP = new GroupId(3);

    private final DamageLedger ledger = new DamageLedger();

    private DamageLedger.Counts without(String policy, Integer... indexes) {
        ledger.noteAbsent(GROUP, Set.of(indexes), group -> Optional.of(Policy.parse(policy)));
        return ledger.counts();
    }

    @Test
    void aGroupIsLostWhenMoreThanMChunksOfAnMdsCodeAre() {
        assertThat(without("rs-4-3-4k", 0, 1, 6)).isEqualTo(new DamageLedger.Counts(1, 0));
        assertThat(without("rs-4-3-4k", 0, 1, 2, 6)).isEqualTo(new DamageLedger.Counts(0, 1));
        assertThat(without("rs-4-3-4k", 0, 1, 6)).isEqualTo(new DamageLedger.Counts(1, 0));
    }

    /** Chunks 0, 1 and 4 are one local group, 2, 3 and 5 the other, 6 is global. */
    @Test
    void whetherAGroupOfALocalCodeIsLostDependsOnWhichChunksAre() {
        assertThat(without("lrc-4-2-1-4k", 0, 2, 6)).isEqualTo(new DamageLedger.Counts(1, 0));
        assertThat(without("lrc-4-2-1-4k", 0, 1, 4)).isEqualTo(new DamageLedger.Counts(0, 1));
        assertThat(without("lrc-4-2-1-4k", 0, 1, 5)).isEqualTo(new DamageLedger.Counts(1, 0));
    }
}
