package io.ecfs.plan.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.layout.WriteSide;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private static final WriteConstants NETWORK = WriteConstants.parse("""
            asking,call_trip,1
            transferring,to_master,1
            transferring,round_trip,1
            distributing,wire,1
            distributing,round_trip,1
            """);
    private static final WriteConstants TRUE = WriteConstants.parse(NETWORK.text() + """
            copying,write,900
            copying,byte,0.2
            asking,call_wait,250000
            transferring,stripe,8000
            transferring,byte,0.05
            managing,stripe,5000
            managing,byte,0.1
            encoding,stripe,1500
            encoding,byte,0.04
            encoding,coded_byte,0.03
            distributing,stripe,30000
            distributing,message,2500
            distributing,sent_byte,0.12
            serving,stripe,12000
            serving,cell_byte,0.35
            """);
    private static final Network ONE = Network.ofGigabits(1, 20_000);

    private static WriteShape shape(WriteSide side, int k, int m, int cell, int record) {
        return new WriteShape(side, k, m, cell, record, 64 << 20, (128L << 20) * k);
    }

    /** @param noise largest relative error of a measured time */
    private static List<WriteSample> samples(double noise) {
        SplittableRandom random = new SplittableRandom(3);
        List<WriteSample> samples = new ArrayList<>();
        for (WriteSide side : WriteSide.values()) {
            for (int[] code : new int[][] {{2, 1}, {4, 2}, {6, 3}, {8, 2}}) {
                for (int cell : new int[] {4096, 65_536, 1 << 20}) {
                    WriteShape shape = shape(side, code[0], code[1], cell, cell == 65_536 ? 16_384 : 131_072);
                    Map<WritePart, Double> nanos = new EnumMap<>(WritePart.class);
                    for (WritePart part : WritePart.values()) {
                        nanos.put(
                                part,
                                new WriteCost(TRUE, shape, ONE).nanos(part)
                                        * (noise == 0 ? 1 : 1 + random.nextDouble(-noise, noise)));
                    }
                    samples.add(new WriteSample(shape, ONE, nanos));
                }
            }
        }
        return samples;
    }

    @Test
    void exactSamplesGiveTheirConstantsBack() {
        Calibration calibration = Calibration.of(samples(0), NETWORK);
        for (WritePart part : WritePart.values()) {
            for (CostTerm term : part.terms()) {
                double wanted = TRUE.coefficient(part, term);
                assertThat(calibration.constants().coefficient(part, term))
                        .as("%s of %s", term, part)
                        .isCloseTo(wanted, within(1e-6 + 1e-6 * wanted));
            }
            assertThat(calibration.worst().get(part)).as("%s", part).isLessThan(1e-6);
        }
    }

    @Test
    void heldOutWritesArePredictedFromNoisySamples() {
        WriteConstants constants = Calibration.of(samples(0.1), NETWORK).constants();
        for (WriteSide side : WriteSide.values()) {
            for (WriteShape shape : List.of(
                    shape(side, 16, 4, 16_384, 262_144),
                    shape(side, 3, 2, 262_144, 65_536),
                    shape(side, 10, 4, 4096, 65_536))) {
                for (Network network : List.of(ONE, Network.ofGigabits(10, 20_000))) {
                    assertThat(new WriteCost(constants, shape, network).nanos())
                            .as("%s on %s", shape, network)
                            .isCloseTo(new WriteCost(TRUE, shape, network).nanos(), withinPercent(15));
                }
            }
        }
    }

    private static org.assertj.core.data.Percentage withinPercent(double percent) {
        return org.assertj.core.data.Percentage.withPercentage(percent);
    }

    @Test
    void partsWithoutASampleStayAsTheyWere() {
        List<WriteSample> ofClients = samples(0).stream()
                .filter(sample -> sample.shape().side() == WriteSide.CLIENT)
                .toList();
        WriteConstants before = NETWORK.with(WritePart.MANAGING, Map.of(CostTerm.STRIPE, 77.0));
        WriteConstants after = Calibration.of(ofClients, before).constants();
        assertThat(after.coefficient(WritePart.MANAGING, CostTerm.STRIPE)).isEqualTo(77);
        assertThat(after.coefficient(WritePart.ENCODING, CostTerm.CODED_BYTE)).isCloseTo(0.03, within(1e-6));
    }
}
