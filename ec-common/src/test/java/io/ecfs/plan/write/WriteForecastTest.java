package io.ecfs.plan.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.layout.WriteSide;
import org.junit.jupiter.api.Test;

class WriteForecastTest {
    private static final WriteConstants CONSTANTS = WriteConstants.parse("""
            copying,byte,0.2
            asking,call,200000
            transferring,to_master,1
            managing,byte,0.1
            encoding,coded_byte,0.05
            distributing,wire,1
            distributing,stripe,50000
            serving,cell_byte,0.3
            """);
    private static final WriteSystem ONE_CLIENT = new WriteSystem(1, 6, 1, 4, 500e6);

    private static WriteForecast forecast(WriteSide side, double gigabits, WriteSystem system) {
        WriteShape shape = new WriteShape(side, 4, 2, 32_768, 131_072, 1L << 30, 512L << 20);
        return new WriteForecast(new WriteCost(CONSTANTS, shape, Network.ofGigabits(gigabits, 0)), system);
    }

    private static WriteSystem window(int stripes) {
        return new WriteSystem(1, 6, stripes, 4, 500e6);
    }

    @Test
    void oneStripeAtATimeTakesTheSumOfTheSteps() {
        WriteForecast forecast = forecast(WriteSide.MASTER, 1, ONE_CLIENT);
        assertThat(forecast.writesPerSecond()).isCloseTo(1e9 / forecast.cost().nanos(), within(1e-6));
        assertThat(forecast.bottleneck()).isEqualTo("window of 1 stripes");
    }

    @Test
    void aMastersLinkBoundsItAt100OfA1GigabitNetwork() {
        WriteForecast forecast = forecast(WriteSide.MASTER, 1, window(16));
        assertThat(forecast.bytesPerSecond()).isCloseTo(100e6, within(1.0));
        assertThat(forecast.busiest()).isEqualTo(WriteResource.MASTER_NIC);
    }

    @Test
    void aClientsLinkBoundsItAt83OfA1GigabitNetwork() {
        WriteForecast forecast = forecast(WriteSide.CLIENT, 1, window(16));
        assertThat(forecast.bytesPerSecond()).isCloseTo(125e6 / 1.5, within(1.0));
        assertThat(forecast.busiest()).isEqualTo(WriteResource.CLIENT_NIC);
    }

    @Test
    void manyClientsAreBoundByTheDatanodes() {
        WriteForecast forecast = forecast(WriteSide.CLIENT, 10, new WriteSystem(100, 6, 16, 4, 500e6));
        assertThat(forecast.busiest()).isEqualTo(WriteResource.SLAVE_DISK);
        assertThat(forecast.bytesPerSecond()).isCloseTo(6 * 500e6 / 1.5, within(1.0));
    }

    @Test
    void enoughDatanodesLeaveTheClientsAsTheBound() {
        WriteSystem system = new WriteSystem(100, 6, 16, 4, 500e6);
        int enough = forecast(WriteSide.CLIENT, 1, system).datanodesForClients().orElseThrow();
        assertThat(forecast(WriteSide.CLIENT, 1, system.withDatanodes(enough)).busiest())
                .isEqualTo(WriteResource.CLIENT_NIC);
        assertThat(forecast(WriteSide.CLIENT, 1, system.withDatanodes(enough - 1))
                        .busiest()
                        .ofDatanodes())
                .isTrue();
    }

    @Test
    void moreChunksThanDatanodesAreRefused() {
        assertThatThrownBy(() -> forecast(WriteSide.CLIENT, 1, new WriteSystem(1, 5, 1, 4, 500e6)))
                .hasMessage("k + m = 6 chunks of a group need as many datanodes, got 5; nearest is 6");
    }
}
