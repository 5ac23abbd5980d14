package io.ecfs.bench.bed.erails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.bench.bed.Device;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlashDeviceTest {
    private static final long BYTES = 43_712;
    private static final double READS = 272.0 * (1 << 20);
    private static final FlashDevice ALONE =
            FlashDevice.undisturbed(new Device(0, 272L << 20), new Device(0, 52L << 20));

    private static FlashDevice ssd(double interference) {
        return Medium.SSD.device(OptionalDouble.of(interference), BYTES);
    }

    /** Mean nanoseconds of many reads, each of which begins when the one before is over, beside writes or not. */
    private static double meanRead(FlashDevice device, boolean besideWrites) {
        SplittableRandom random = new SplittableRandom(7);
        int reads = 200_000;
        long nanos = 0;
        for (int i = 0; i < reads; i++) {
            nanos += device.readNanos(BYTES, besideWrites, random);
        }
        return (double) nanos / reads;
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.5, 2, 4, 10})
    void readsBesideWritesAreSoManyTimesSlower(double times) {
        FlashDevice device = ssd(times);
        assertThat(device.interference(BYTES)).isCloseTo(times, within(1e-3));
        assertThat(meanRead(device, true) / meanRead(device, false)).isCloseTo(times, within(0.03 * times));
    }

    @Test
    void ratesAreThoseOfTheDevice() {
        FlashDevice device = ssd(4);
        assertThat(device.readRate(BYTES, false)).isCloseTo(READS, within(1e4));
        assertThat(device.writeRate(BYTES)).isCloseTo(52.0 * (1 << 20), within(1e4));
        assertThat(device.readRate(BYTES, true)).isCloseTo(READS / 4, within(1e4));
    }

    @Test
    void stallsComeAsOftenAndLastAsLongAsConfigured() {
        FlashDevice device = new FlashDevice(ALONE.reads(), ALONE.writes(), 0, 0.1, 2_000_000, 30_000_000, 0);
        SplittableRandom random = new SplittableRandom(3);
        long alone = device.readNanos(BYTES, false, random);
        List<Long> stalls = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            long more = device.readNanos(BYTES, true, random) - alone;
            if (more > 0) {
                stalls.add(more);
            }
        }
        assertThat(stalls.size() / 100_000.0).isCloseTo(0.1, within(0.005));
        assertThat(stalls).allSatisfy(stall -> assertThat(stall).isBetween(2_000_000L, 30_000_000L));
        assertThat(stalls.stream().mapToLong(Long::longValue).average().orElseThrow())
                .isCloseTo(16e6, within(0.3e6));
    }

    @Test
    void readsSufferForAWhileAfterTheLastWrite() {
        FlashDevice device = new FlashDevice(ALONE.reads(), ALONE.writes(), 0.5, 0, 0, 0, 50_000_000);
        VirtualTime time = new VirtualTime();
        FlashStation station = new FlashStation(time, device, new SplittableRandom(1));
        List<Long> took = new ArrayList<>();
        station.write(BYTES, () -> {});
        long wrote = device.writeNanos(BYTES);
        for (long after : List.of(1_000_000L, 49_000_000L, 51_000_000L)) {
            time.at(wrote + after, () -> {
                long begun = time.nanos();
                station.read(BYTES, () -> took.add(time.nanos() - begun));
            });
        }
        time.pass(Duration.ofSeconds(1));
        long alone = device.reads().readNanos(BYTES);
        assertThat(took).containsExactly(2 * alone, 2 * alone, alone);
    }

    @ParameterizedTest
    @EnumSource
    void eachMediumHasItsUsualFactor(Medium medium) {
        FlashDevice device = medium.device(OptionalDouble.empty(), BYTES);
        assertThat(device.interference(BYTES))
                .isCloseTo(
                        medium == Medium.SSD ? 4 : medium == Medium.HDD ? 1 : medium == Medium.SMR ? 3 : 1.5,
                        within(1e-3));
    }

    @Test
    void impossibleDevicesAreRefused() {
        assertThatThrownBy(() -> ssd(0.5)).hasMessageContaining("at least as long, got 0.5 times");
        assertThatThrownBy(() -> ssd(1e6)).hasMessageContaining("at most");
        assertThatThrownBy(() -> new FlashDevice(ALONE.reads(), ALONE.writes(), 1, 0, 0, 0, 0))
                .hasMessageContaining("a share of 0 to less than 1");
        assertThatThrownBy(() -> new FlashDevice(ALONE.reads(), ALONE.writes(), 0, 0, 5, 4, 0))
                .hasMessageContaining("the longest at least as long");
        assertThatThrownBy(() -> Medium.of("sdd")).hasMessageContaining("did you mean 'ssd'");
    }
}
