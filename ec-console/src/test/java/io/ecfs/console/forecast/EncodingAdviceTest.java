package io.ecfs.console.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.report.WriteReport;
import io.ecfs.message.report.WriteShare;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EncodingAdviceTest {
    private static final Policy POLICY = Policy.parse("rs-4-2-64k");

    /** Stripes of 256 KiB that took so many milliseconds each. */
    private static WriteShare share(WriteSide side, long stripes, double millis) {
        return new WriteShare(
                POLICY, side, stripes, stripes << 18, (long) (stripes * millis * 1e6), 0, 0, 0, 0, 0, 0, 0);
    }

    private static EncodingAdvice advice(WriteShare... shares) {
        List<EncodingAdvice> all =
                EncodingAdvice.of(new WriteReport(0, List.of(shares), Optional.empty(), Optional.empty()));
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void theFasterSideIsNamedWithItsNumbers() {
        assertThat(advice(share(WriteSide.CLIENT, 200, 1), share(WriteSide.MASTER, 300, 0.5)))
                .isEqualTo(new EncodingAdvice(
                        "rs-4-2-64k",
                        Optional.of(WriteSide.MASTER),
                        "encode at the master: clients took 4.00 ms a MiB (200 stripes, 1.50 network bytes a byte),"
                                + " masters 2.00 (300 stripes, 2.25)"));
        assertThat(advice(share(WriteSide.CLIENT, 200, 1), share(WriteSide.MASTER, 300, 2))
                        .side())
                .contains(WriteSide.CLIENT);
    }

    @Test
    void ofSidesThatAreAlikeTheOneWithFewerBytesOnTheNetworkIsTaken() {
        assertThat(advice(share(WriteSide.CLIENT, 200, 1), share(WriteSide.MASTER, 300, 0.96))
                        .side())
                .contains(WriteSide.CLIENT);
    }

    @Test
    void aSideWithFewStripesIsNotJudged() {
        EncodingAdvice advice = advice(share(WriteSide.CLIENT, 5000, 1));
        assertThat(advice.side()).isEmpty();
        assertThat(advice.reason()).contains("5000 stripes", "masters 0", "--encode auto");
        assertThat(advice(share(WriteSide.CLIENT, 100, 1), share(WriteSide.MASTER, 99, 0.1))
                        .side())
                .isEmpty();
        assertThat(advice(share(WriteSide.CLIENT, 100, 1), share(WriteSide.MASTER, 100, 0.1))
                        .side())
                .isPresent();
    }

    @Test
    void withoutWritesThereIsNoAdvice() {
        assertThat(EncodingAdvice.of(new WriteReport(0, List.of(), Optional.empty(), Optional.empty())))
                .isEmpty();
    }
}
