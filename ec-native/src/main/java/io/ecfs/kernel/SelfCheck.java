package io.ecfs.kernel;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Schedule;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Compares a kernel's results with another's before it is offered. A processor whose instructions do not compute what
 * its features promise (an emulator, a faulty microcode) must not write parity. Takes a few milliseconds.
 */
final class SelfCheck {
    /** Lengths below, at and above one and two vectors, and of a few of them. */
    private static final int[] LENGTHS = {1, 31, 64, 127, 128, 193, 1000};

    private SelfCheck() {}

    /** The first difference of the candidate's bytes from the reference's; empty if they are equal. */
    static Optional<String> difference(GaloisKernel candidate, GaloisKernel reference) {
        // One input is multiplied with all coefficients, so that with 256 bytes all products are computed.
        for (int first = 0; first < 256; first += 32) {
            byte[] coefficients = new byte[32];
            for (int i = 0; i < 32; i++) {
                coefficients[i] = (byte) (first + i);
            }
            if (differ(Schedule.of(coefficients, 32, 1), 256, candidate, reference)) {
                return Optional.of(because(candidate, "coefficients " + first + " to " + (first + 31)));
            }
        }
        for (int rows = 1; rows <= 7; rows++) {
            for (int length : LENGTHS) {
                int columns = 1 + (rows * 3 + length) % 11;
                if (differ(Schedule.of(mixed(rows * columns, length), rows, columns), length, candidate, reference)
                        || differ(adding(rows, columns, length), length, candidate, reference)) {
                    return Optional.of(
                            because(candidate, rows + " x " + columns + " coefficients over " + length + " bytes"));
                }
            }
        }
        return Optional.empty();
    }

    private static String because(GaloisKernel candidate, String where) {
        return "its self-check failed: " + candidate.description() + " and the Java kernel differ for " + where
                + "; this processor does not compute what its features say";
    }

    private static Schedule adding(int rows, int columns, int seed) {
        Schedule.Step step = Schedule.of(mixed(rows * columns, seed + 1), rows, columns)
                .steps()
                .get(0);
        int[] inputs = new int[columns];
        int[] outputs = new int[rows];
        Arrays.fill(inputs, 1);
        Arrays.fill(outputs, 1);
        return new Schedule.Builder(inputs, outputs)
                .add(step.out(), step.in(), step.coefficients())
                .build();
    }

    private static boolean differ(Schedule schedule, int bytes, GaloisKernel candidate, GaloisKernel reference) {
        ByteBuffer[] inputs = buffers(schedule.inputs().length, bytes, 1);
        ByteBuffer[] actual = buffers(schedule.outputs().length, bytes, 2);
        ByteBuffer[] expected = buffers(schedule.outputs().length, bytes, 2);
        candidate.prepare(schedule).run(inputs, actual);
        reference.prepare(schedule).run(inputs, expected);
        return !Arrays.equals(actual, expected);
    }

    private static ByteBuffer[] buffers(int count, int bytes, int seed) {
        ByteBuffer[] buffers = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            // 256 bytes are all bytes once.
            byte[] content = mixed(bytes, seed * 1000 + i);
            for (int p = 0; p < bytes && bytes == 256; p++) {
                content[p] = (byte) (p * 5 + i);
            }
            buffers[i] = ByteBuffer.allocateDirect(bytes).put(0, content);
        }
        return buffers;
    }

    /** Pseudorandom bytes, the same in every run. */
    private static byte[] mixed(int count, int seed) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            int mixed = (i + 1) * 0x9e3779b1 ^ (seed + 1) * 0x85ebca6b;
            bytes[i] = (byte) (mixed ^ mixed >>> 15 ^ mixed >>> 24);
        }
        return bytes;
    }
}
