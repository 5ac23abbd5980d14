package io.ecfs.plan.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.layout.WriteSide;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WriteCostTest {
    private static final long RECORD = 131_072;
    private static final double RECORD_NANOS = RECORD / 125e6 * 1e9; // on 1 Gb/s
    private static final WriteConstants WIRE_ALONE = WriteConstants.parse("""
        # the network without loss, and nothing else
        transferring,to_master,1
        distributing,wire,1
        """);

    private static final WriteConstants BY_STRIPE = WriteConstants.ofLinksAlone(Forwarding.BY_STRIPE);

    private static WriteCost cost(WriteConstants constants, WriteSide side) {
        return new WriteCost(constants, WriteShape.ofOneStripe(side, 4, 2, RECORD), Network.ofGigabits(1, 0));
    }

    @Test
    void aClientSendsAllCellsOverItsOneLink() {
        WriteCost cost = cost(WIRE_ALONE, WriteSide.CLIENT);
        assertThat(cost.nanos(WriteStep.DD)).isCloseTo(1.5 * RECORD_NANOS, within(1.0));
        assertThat(cost.nanos()).isCloseTo(1.5 * RECORD_NANOS, within(1.0));
    }

    @Test
    void aMasterThatStoresSendsAllCellsButItsOwnBehindTheData() {
        WriteCost cost = cost(BY_STRIPE, WriteSide.MASTER);
        assertThat(cost.nanos(WriteStep.CO)).isCloseTo(RECORD_NANOS, within(1.0));
        assertThat(cost.nanos(WriteStep.DD)).isCloseTo(1.25 * RECORD_NANOS, within(1.0));
        assertThat(cost.hiddenNanos()).isZero();
    }

    @Test
    void aMasterThatForwardsByCellSendsTheLastDataCellAndTheParityBehindTheData() {
        WriteCost cost = cost(WIRE_ALONE, WriteSide.MASTER);
        assertThat(cost.nanos(WriteStep.CO)).isCloseTo(RECORD_NANOS, within(1.0));
        assertThat(cost.nanos(WriteStep.DD)).isCloseTo(0.75 * RECORD_NANOS, within(1.0));
        assertThat(cost.hiddenNanos()).isCloseTo(0.5 * RECORD_NANOS, within(1.0));
    }

    @Test
    void workBehindTheLastDataCellOverlapsItsForwarding() {
        double cell = RECORD_NANOS / 4;
        WriteConstants shorter = WIRE_ALONE.with(WritePart.ENCODING, Map.of(CostTerm.STRIPE, cell / 2));
        assertThat(cost(shorter, WriteSide.MASTER).nanos()).isCloseTo(7 * cell, within(1.0));
        WriteConstants longer = WIRE_ALONE.with(WritePart.ENCODING, Map.of(CostTerm.STRIPE, 5 * cell));
        assertThat(cost(longer, WriteSide.MASTER).nanos()).isCloseTo((4 + 5 + 2) * cell, within(1.0));
        assertThat(cost(longer, WriteSide.MASTER).nanos(WriteStep.DD)).isCloseTo(2 * cell, within(1.0));
    }

    @Test
    void slowSendsPassOneAfterTheOther() {
        double cell = RECORD_NANOS / 4;
        WriteConstants slow = WriteConstants.parse(
                WIRE_ALONE.text() + "distributing,message," + 2 * cell + "\nencoding,stripe," + cell);
        assertThat(cost(slow, WriteSide.MASTER).nanos())
                .as("the second data cell comes after two, five sends follow, the last cell passes the link")
                .isCloseTo((2 + 5 * 2 + 1) * cell, within(1.0));
    }

    @Test
    void aMasterThatKeepsTheOnlyCellSendsNothing() {
        WriteCost cost = new WriteCost(
                WIRE_ALONE, WriteShape.ofOneStripe(WriteSide.MASTER, 1, 0, RECORD), Network.ofGigabits(1, 0));
        assertThat(cost.nanos(WriteStep.DD)).isZero();
    }

    @Test
    void theTimeIsTheSumOfTheSteps() {
        WriteConstants constants = WriteConstants.parse("""
            forwarding,by_stripe
            copying,write,1
            asking,call,20
            transferring,stripe,300
            managing,stripe,4000
            encoding,stripe,50000
            distributing,message,100000
            serving,stripe,7000000
            """);
        WriteShape shape = new WriteShape(WriteSide.MASTER, 4, 2, RECORD / 4, RECORD, RECORD, RECORD);
        WriteCost cost = new WriteCost(constants, shape, Network.ofGigabits(1, 0));
        assertThat(cost.nanos()).isEqualTo(7_000_000 + 5 * 100_000 + 50_000 + 4_000 + 300 + 3 * 20 + 1);
        assertThat(new WriteCost(constants, shape.by(WriteSide.CLIENT), Network.ofGigabits(1, 0)).nanos())
                .as("no transfer and no master, one cell more is sent")
                .isEqualTo(7_000_000 + 6 * 100_000 + 50_000 + 3 * 20 + 1);
    }

    @Test
    void theSlowestSlaveStretchesTheDistribution() {
        WriteCost alike = cost(WIRE_ALONE, WriteSide.CLIENT);
        WriteCost slow = new WriteCost(WIRE_ALONE, alike.shape(), alike.network(), 3);
        assertThat(slow.nanos(WriteStep.DD)).isCloseTo(3 * alike.nanos(WriteStep.DD), within(1.0));
    }

    @Test
    void twoStripesTakeTwoRoundTrips() {
        WriteConstants trips = WriteConstants.parse("distributing,round_trip,1");
        WriteShape shape = new WriteShape(WriteSide.CLIENT, 4, 2, RECORD / 8, RECORD, RECORD, RECORD);
        assertThat(new WriteCost(trips, shape, new Network(Double.POSITIVE_INFINITY, 500)).nanos())
                .isEqualTo(2 * 2 * 500);
    }

    @Test
    void recordsThatShareAStripeShareItsCost() {
        WriteConstants constants = WriteConstants.parse("distributing,message,100");
        WriteShape shape = new WriteShape(WriteSide.CLIENT, 4, 2, 4096, 4096, 4096, 4096);
        assertThat(new WriteCost(constants, shape, Network.ofGigabits(1, 0)).nanos())
                .isEqualTo(150);
    }

    @Test
    void bytesOnTheNetworkAreCountedWhereTheyLeave() {
        WriteShape client = WriteShape.ofOneStripe(WriteSide.CLIENT, 4, 2, RECORD);
        assertThat(client.networkBytes()).isEqualTo(1.5 * RECORD);
        assertThat(client.by(WriteSide.MASTER).networkBytes()).isEqualTo(2.25 * RECORD);
        assertThat(client.by(WriteSide.MASTER).clientBytes()).isEqualTo(RECORD);
        assertThat(client.storedBytes()).isEqualTo(1.5 * RECORD);
    }

    @Test
    void constantsSurviveTheirText() {
        WriteConstants constants = WriteConstants.parse("copying,write,1.5\nserving,cell_byte,0.25");
        assertThat(WriteConstants.parse(constants.text()).text()).isEqualTo(constants.text());
        assertThat(WriteConstants.parse(BY_STRIPE.text()).forwarding()).isEqualTo(Forwarding.BY_STRIPE);
        assertThat(constants.coefficient(WritePart.SERVING, CostTerm.CELL_BYTE)).isEqualTo(0.25);
    }

    @Test
    void badConstantsAreNamedByLine() {
        for (Map.Entry<String, String> bad : Map.of(
                        "copying,write", "line 1 'copying,write': expected part,term,coefficient",
                        "copying,write,-1", "a cost is 0 or more, got -1.0 for write of copying",
                        "serving,wire,1", "no term wire in serving; it has stripe, cell_byte")
                .entrySet()) {
            assertThatThrownBy(() -> WriteConstants.parse(bad.getKey())).hasMessageContaining(bad.getValue());
        }
    }
}
