package io.ecfs.console.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.layout.Policy;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteSystem;
import org.junit.jupiter.api.Test;

class WriteForecastViewTest {
    private static final WriteConstants WIRE = WriteConstants.parse("transferring,to_master,1\ndistributing,wire,1");
    private static final Policy RS_4_2 = Policy.parse("rs-4-2-64k");

    private static WriteQuestion question(Policy policy, int datanodes, long file, long record) {
        return new WriteQuestion(
                policy, Network.ofGigabits(1, 0), new WriteSystem(1, datanodes, 16, 4, 1e9), file, record);
    }

    private static WriteForecastView view(WriteQuestion question) {
        return WriteForecastView.of(question, WIRE);
    }

    @Test
    void theMasterIsCheaperWhereTheNetworkAloneCounts() {
        WriteForecastView view = view(question(RS_4_2, 6, 1 << 30, 131_072));
        assertThat(view.cheapest()).isEqualTo("master");
        assertThat(view.reason())
                .isEqualTo("encode at the master: 100.0 MB/s (master NIC) against 83.3 MB/s (client NIC), 2.25 network"
                        + " bytes a byte against 1.50");
    }

    @Test
    void theClientIsCheaperWhereBothAreAsFast() {
        WriteForecastView view =
                WriteForecastView.of(question(RS_4_2, 6, 1 << 30, 131_072), WriteConstants.parse("copying,byte,100"));
        assertThat(view.cheapest()).isEqualTo("client");
    }

    @Test
    void aSmallFileIsOneStripeOfShortCells() {
        WriteForecastView view = WriteForecastView.of(
                question(RS_4_2, 6, 1024, 131_072), WriteConstants.parse("distributing,message,1000"));
        assertThat(view.sides().get(0).aloneMicros()).isCloseTo(6, within(1e-9));
        assertThat(view.recordBytes()).isEqualTo(1024);
    }

    @Test
    void badQuestionsNameTheNearestGoodOne() {
        assertThatThrownBy(() -> question(RS_4_2, 6, 1 << 30, 3072))
                .hasMessage("a record is a multiple of 4k, got 3072 bytes; nearest is 4k");
        assertThatThrownBy(() -> question(RS_4_2, 6, 1 << 30, 15_000)).hasMessageEndingWith("nearest is 16k");
        assertThatThrownBy(() -> question(RS_4_2, 5, 1 << 30, 4096))
                .hasMessage("policy rs-4-2-64k needs k + m = 6 datanodes, got 5; nearest is 6");
    }
}
