package io.ecfs.namenode.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.report.RelayFallbacks;
import io.ecfs.message.report.WriteReport;
import io.ecfs.message.report.WriteShare;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WriteTotalsTest {
    private final WriteTotals totals = new WriteTotals(77);

    private static WriteShare share(String policy, WriteSide side, long stripes) {
        return new WriteShare(Policy.parse(policy), side, stripes, 9, 8, 1, 2, 3, 4, 5, 6, 7);
    }

    private WriteReport report() {
        return totals.report(List.of());
    }

    @Test
    void sharesOfOnePolicyAndSideAreAddedUp() {
        totals.add(List.of(share("rs-3-2-64k", WriteSide.MASTER, 3), share("rs-3-2-64k", WriteSide.CLIENT, 1)));
        totals.add(List.of(share("rs-3-2-64k", WriteSide.MASTER, 4)));
        assertThat(report().sinceMillis()).isEqualTo(77);
        assertThat(report().shares())
                .extracting(share -> share.side() + " " + share.stripes() + " " + share.steps())
                .containsExactly("CLIENT 1 28", "MASTER 7 56");
    }

    @Test
    void fallbacksAreAddedUpByReason() {
        totals.addFallbacks(List.of(new RelayFallbacks(ErrorCode.TIMEOUT, 2), new RelayFallbacks(ErrorCode.BUSY, 1)));
        totals.addFallbacks(List.of(new RelayFallbacks(ErrorCode.BUSY, 3)));
        totals.addFallbacks(List.of(new RelayFallbacks(ErrorCode.TIMEOUT, Long.MAX_VALUE)));
        assertThat(report().fallbacks().orElseThrow())
                .containsExactlyInAnyOrder(
                        new RelayFallbacks(ErrorCode.BUSY, 4), new RelayFallbacks(ErrorCode.TIMEOUT, Long.MAX_VALUE));
    }

    @Test
    void aClientThatClaimsTooMuchOverflowsNothing() {
        WriteShare huge = share("rs-3-2-64k", WriteSide.CLIENT, Long.MAX_VALUE);
        totals.add(List.of(huge, huge));
        assertThat(report().shares().get(0).stripes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void madeUpPoliciesFillNoMemory() {
        IntStream.range(1, 2 * WriteTotals.MOST_SHARES)
                .forEach(i -> totals.add(List.of(share("rs-3-2-" + 4 * i + "k", WriteSide.CLIENT, 1))));
        assertThat(report().shares()).hasSize(WriteTotals.MOST_SHARES);
    }
}
