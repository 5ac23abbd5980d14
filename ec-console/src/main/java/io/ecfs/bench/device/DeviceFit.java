package io.ecfs.bench.device;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.erails.FlashDevice;
import java.util.Arrays;
import java.util.List;

/**
 * Fits the model of one server to what was measured. Reads: an overhead and a rate from two sizes. Beside writes: the
 * time of a read is what the mix leaves of its time; reads that took at least two milliseconds longer than all but one
 * in a hundred of those alone are stalls, and the rest is bandwidth lost. How long reads suffer afterwards: until the
 * first slice of time whose reads are nearly as fast as those alone.
 */
final class DeviceFit {
    private static final double NANOS = 1e9;
    private static final double NEARLY = 1.2;
    private static final double MOST_LOST = 0.99;

    private DeviceFit() {}

    static FlashDevice of(DeviceMeasurement measured) {
        Device reads = device(measured.requestBytes(), measured.reads());
        Device writes = device(measured.requestBytes(), measured.writes());
        long bytes = measured.requestBytes().get(0);
        double alone = NANOS / measured.reads().get(0);
        double beside = Math.max(alone, readBeside(measured));
        Stalls stalls = Stalls.of(measured);
        double ofStalls = Math.min(beside - alone, stalls.share * stalls.mean() / measured.readers());
        double share = stalls.mean() > 0 ? Math.min(1, ofStalls / stalls.mean()) : 0;
        double transfer = reads.readNanos(bytes);
        double lost = 1 - transfer / Math.max(transfer, beside - ofStalls - reads.overheadNanos());
        return new FlashDevice(
                reads,
                writes,
                Math.max(0, Math.min(MOST_LOST, lost)),
                share,
                stalls.least,
                stalls.most,
                afterNanos(measured));
    }

    /** Time of a read in the mix, when a write takes what it takes alone. */
    private static double readBeside(DeviceMeasurement measured) {
        double reads = measured.mixedReads().get(0);
        double each = NANOS / measured.mixed().get(0);
        double write = NANOS / measured.writes().get(0);
        return (each - (1 - reads) * write) / reads;
    }

    private static Device device(List<Integer> bytes, List<Double> rates) {
        double small = NANOS / rates.get(0);
        double large = NANOS / rates.get(1);
        double perByte = (large - small) / (bytes.get(1) - bytes.get(0));
        double overhead = small - perByte * bytes.get(0);
        if (perByte <= 0 || overhead < 0) { // noise: all of it is transfer
            return new Device(0, Math.max(1, Math.round(bytes.get(0) * rates.get(0))));
        }
        return new Device(Math.round(overhead), Math.max(1, Math.round(NANOS / perByte)));
    }

    private static long afterNanos(DeviceMeasurement measured) {
        double mean = Arrays.stream(measured.readNanos()).average().orElse(0);
        for (int slice = 0; slice < measured.after().size(); slice++) {
            if (measured.after().get(slice) <= NEARLY * mean) {
                return slice * DeviceMeasurement.SLICE_NANOS;
            }
        }
        return measured.after().size() * DeviceMeasurement.SLICE_NANOS;
    }

    /** @param share of the reads beside writes */
    private record Stalls(double share, long least, long most) {
        double mean() {
            return (least + most) / 2.0;
        }

        static Stalls of(DeviceMeasurement measured) {
            long[] alone = measured.readNanos();
            long[] beside = measured.mixedReadNanos();
            long usual = alone[alone.length / 2];
            long bound = alone[(int) (alone.length * 0.99)] + FlashDevice.LEAST_STALL_NANOS;
            long[] stalls = Arrays.stream(beside)
                    .filter(nanos -> nanos > bound)
                    .map(nanos -> nanos - usual)
                    .toArray();
            if (stalls.length == 0) {
                return new Stalls(0, FlashDevice.LEAST_STALL_NANOS, FlashDevice.MOST_STALL_NANOS);
            }
            long least = stalls[stalls.length / 20];
            double mean = Arrays.stream(stalls).average().orElseThrow();
            return new Stalls(
                    (double) stalls.length / beside.length, least, Math.max(least, Math.round(2 * mean - least)));
        }
    }
}
