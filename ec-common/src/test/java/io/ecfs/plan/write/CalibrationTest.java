package io.ecfs.plan.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    private static final String FORWARDED = "distributing,forwarded,1\n";
    private static final Network ONE = Network.ofGigabits(1, 20_000);

    private static WriteShape shape(WriteSide side, int k, int m, int cell, int record) {
        return new WriteShape(side, k, m, cell, record, 64 << 20, (128L << 20) * k);
    }

    private static WriteConstants network(boolean forwarded) {
        return forwarded ? WriteConstants.parse(NETWORK.text() + FORWARDED) : NETWORK;
    }

    private static WriteConstants constants(boolean forwarded) {
        return forwarded ? WriteConstants.parse(TRUE.text() + FORWARDED) : TRUE;
    }

    /** @param noise largest relative error of a measured time */
    private static List<WriteSample> samples(boolean forwarded, double noise) {
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
                                new WriteCost(constants(forwarded), shape, ONE).nanos(part)
                                        * (noise == 0 ? 1 : 1 + random.nextDouble(-noise, noise)));
                    }
                    samples.add(new WriteSample(shape, ONE, nanos));
                }
            }
        }
        return samples;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void exactSamplesGiveTheirConstantsBack(boolean forwarded) {
        Calibration calibration = Calibration.of(samples(forwarded, 0), network(forwarded));
        for (WritePart part : WritePart.values()) {
            for (CostTerm term : part.terms()) {
                double wanted = constants(forwarded).coefficient(part, term);
                assertThat(calibration.constants().coefficient(part, term))
                        .as("%s of %s", term, part)
                        .isCloseTo(wanted, within(1e-6 + 1e-6 * wanted));
            }
            assertThat(calibration.worst().get(part)).as("%s", part).isLessThan(1e-6);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void heldOutWritesArePredictedFromNoisySamples(boolean forwarded) {
        WriteConstants constants =
                Calibration.of(samples(forwarded, 0.1), network(forwarded)).constants();
        for (WriteSide side : WriteSide.values()) {
            for (WriteShape shape : List.of(
                    shape(side, 16, 4, 16_384, 262_144),
                    shape(side, 3, 2, 262_144, 65_536),
                    shape(side, 10, 4, 4096, 65_536))) {
                for (Network network : List.of(ONE, Network.ofGigabits(10, 20_000))) {
                    assertThat(new WriteCost(constants, shape, network).nanos())
                            .as("%s on %s", shape, network)
                            .isCloseTo(new WriteCost(constants(forwarded), shape, network).nanos(), withinPercent(15));
                }
            }
        }
    }

    private static org.assertj.core.data.Percentage withinPercent(double percent) {
        return org.assertj.core.data.Percentage.withPercentage(percent);
    }

    @Test
    void partsWithoutASampleStayAsTheyWere() {
        List<WriteSample> ofClients = samples(false, 0).stream()
                .filter(sample -> sample.shape().side() == WriteSide.CLIENT)
                .toList();
        WriteConstants before = NETWORK.with(WritePart.MANAGING, Map.of(CostTerm.STRIPE, 77.0));
        WriteConstants after = Calibration.of(ofClients, before).constants();
        assertThat(after.coefficient(WritePart.MANAGING, CostTerm.STRIPE)).isEqualTo(77);
        assertThat(after.coefficient(WritePart.ENCODING, CostTerm.CODED_BYTE)).isCloseTo(0.03, within(1e-6));
    }
}
