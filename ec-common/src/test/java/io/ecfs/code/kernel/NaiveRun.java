package io.ecfs.code.kernel;

/** What a schedule means, byte by byte: the oracle of the kernels. */
final class NaiveRun {
    private NaiveRun() {}

    /** Shift and add, from the definition. */
    static int product(int a, int b) {
        int sum = 0;
        for (int bit = 0; bit < 8; bit++) {
            if ((b >>> bit & 1) != 0) {
                sum ^= a << bit;
            }
        }
        for (int bit = 15; bit >= 8; bit--) {
            if ((sum >>> bit & 1) != 0) {
                sum ^= 0x11d << (bit - 8);
            }
        }
        return sum;
    }

    /** Changes the outputs. */
    static void run(Schedule schedule, byte[][] inputs, byte[][] outputs, int regionBytes) {
        byte[][] regions = new byte[schedule.regions()][regionBytes];
        int outputsFrom = copy(inputs, regions, 0, regionBytes);
        copy(outputs, regions, outputsFrom, regionBytes);
        for (Schedule.Step step : schedule.steps()) {
            for (int r = 0; r < step.out().length; r++) {
                byte[] out = regions[step.out()[r]];
                for (int p = 0; p < regionBytes; p++) {
                    int sum = step.adds() ? out[p] : 0;
                    for (int c = 0; c < step.in().length; c++) {
                        int coefficient = step.coefficients()[r * step.in().length + c] & 0xff;
                        sum ^= product(regions[step.in()[c]][p] & 0xff, coefficient);
                    }
                    out[p] = (byte) sum;
                }
            }
        }
        int region = outputsFrom;
        for (byte[] output : outputs) {
            for (int at = 0; at + regionBytes <= output.length && regionBytes > 0; at += regionBytes) {
                System.arraycopy(regions[region++], 0, output, at, regionBytes);
            }
        }
    }

    private static int copy(byte[][] buffers, byte[][] regions, int from, int regionBytes) {
        int region = from;
        for (byte[] buffer : buffers) {
            for (int at = 0; at + regionBytes <= buffer.length && regionBytes > 0; at += regionBytes) {
                System.arraycopy(buffer, at, regions[region++], 0, regionBytes);
            }
        }
        return region;
    }
}
