package io.ecfs.code;

import java.nio.ByteBuffer;

/** Runs a schedule as its definition says, byte by byte: what kernels are compared with. */
final class NaiveProgram implements Program {
    private final Schedule schedule;

    NaiveProgram(Schedule schedule) {
        this.schedule = schedule;
    }

    /** The code computed without any kernel. */
    static ErasureCode code(String spec) {
        CodeSpec parsed = CodeSpec.parse(spec);
        return new ScheduledCode(parsed, ErasureCodes.construction(parsed), NaiveProgram::new);
    }

    @Override
    public void run(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        int bytes = inputs[0].remaining() / schedule.inputs()[0];
        ByteBuffer[] regions = new ByteBuffer[schedule.regions()];
        int at = split(inputs, schedule.inputs(), bytes, regions, 0);
        at = split(outputs, schedule.outputs(), bytes, regions, at);
        while (at < regions.length) {
            regions[at++] = ByteBuffer.allocate(bytes);
        }
        for (Schedule.Step step : schedule.steps()) {
            for (int r = 0; r < step.out().length; r++) {
                for (int p = 0; p < bytes; p++) {
                    int sum = step.adds() ? regions[step.out()[r]].get(p) : 0;
                    for (int c = 0; c < step.in().length; c++) {
                        int coefficient = step.coefficients()[r * step.in().length + c] & 0xff;
                        sum ^= GaloisField.multiply(coefficient, regions[step.in()[c]].get(p) & 0xff);
                    }
                    regions[step.out()[r]].put(p, (byte) sum);
                }
            }
        }
    }

    private static int split(ByteBuffer[] buffers, int[] counts, int bytes, ByteBuffer[] regions, int first) {
        int at = first;
        for (int i = 0; i < buffers.length; i++) {
            for (int r = 0; r < counts[i]; r++) {
                regions[at++] = buffers[i].slice(buffers[i].position() + r * bytes, bytes);
            }
        }
        return at;
    }
}
