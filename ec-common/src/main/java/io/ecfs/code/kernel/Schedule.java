package io.ecfs.code.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computation for a kernel to prepare: a straight-line program of {@link Step}s over numbered regions of equal length.
 *
 * <p>A region is a sub-chunk of a buffer, or scratch that lives for one block of a run. Regions are numbered through:
 * first those of the input buffers, then those of the output buffers, then scratch.
 *
 * <pre>
 *   inputs = [2, 2]   outputs = [2]   scratch = 1
 *   buffer    in 0      in 1      out 0     scratch
 *   region    0   1     2   3     4   5     6
 * </pre>
 *
 * <p>Steps run in order. A step reads regions that are inputs or that an earlier step wrote, and writes outputs or
 * scratch; it overwrites them, or adds to them where {@link Step#adds} (for outputs this may be their first touch: they
 * then hold what the caller put there). Every encoding, repair and update of every family is one schedule, so a kernel
 * knows regions and coefficients and no codes.
 */
public final class Schedule {
    private final int[] inputs;
    private final int[] outputs;
    private final int scratch;
    private final List<Step> steps;

    private Schedule(int[] inputs, int[] outputs, int scratch, List<Step> steps) {
        this.inputs = inputs;
        this.outputs = outputs;
        this.scratch = scratch;
        this.steps = List.copyOf(steps);
    }

    /**
     * {@code out[r] = sum over c of coefficients[r * in.length + c] * in[c]} over GF(2^8) with 0x11d, added to what is
     * there where {@code adds}. No region is both read and written.
     */
    public record Step(int[] in, int[] out, byte[] coefficients, boolean adds) {
        public Step {
            if (in.length == 0 || out.length == 0 || coefficients.length != in.length * out.length) {
                throw new IllegalArgumentException(
                        coefficients.length + " coefficients do not take " + in.length + " regions to " + out.length);
            }
            for (int i = 0; i < out.length; i++) {
                int written = out[i];
                if (Arrays.stream(in).anyMatch(read -> read == written)) {
                    throw new IllegalArgumentException("region " + written + " is read and written in one step");
                }
                if (Arrays.stream(out, 0, i).anyMatch(other -> other == written)) {
                    throw new IllegalArgumentException("region " + written + " is written twice in one step");
                }
            }
        }

        /** Returns whether the step is a plain XOR of its inputs into each output. */
        public boolean isXor() {
            for (byte coefficient : coefficients) {
                if (coefficient != 1) {
                    return false;
                }
            }
            return true;
        }
    }

    /** One step that takes scalar inputs to scalar outputs by a matrix of outputs x inputs coefficients, row by row. */
    public static Schedule of(byte[] matrix, int outputs, int inputs) {
        int[] in = new int[inputs];
        Arrays.setAll(in, i -> i);
        int[] out = new int[outputs];
        Arrays.setAll(out, i -> inputs + i);
        Builder builder = new Builder(ones(inputs), ones(outputs));
        return builder.set(out, in, matrix).build();
    }

    private static int[] ones(int count) {
        int[] ones = new int[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** For each input buffer how many regions it has. */
    public int[] inputs() {
        return inputs.clone();
    }

    /** For each output buffer how many regions it has. */
    public int[] outputs() {
        return outputs.clone();
    }

    public int scratch() {
        return scratch;
    }

    /** All regions: of inputs, outputs and scratch. */
    public int regions() {
        return Arrays.stream(inputs).sum() + Arrays.stream(outputs).sum() + scratch;
    }

    public List<Step> steps() {
        return steps;
    }

    /** Collects steps. */
    public static final class Builder {
        private final int[] inputs;
        private final int[] outputs;
        private final List<Step> steps = new ArrayList<>();
        private final int firstOutput;
        private final int firstScratch;
        /** The outputs and scratch regions that a step has written. */
        private final BitSet written = new BitSet();

        private int scratch;

        /** Regions by input and by output buffer; each has one at least, and there is an output at least. */
        public Builder(int[] inputs, int[] outputs) {
            if (outputs.length == 0
                    || IntStream.concat(Arrays.stream(inputs), Arrays.stream(outputs))
                            .anyMatch(n -> n < 1)) {
                throw new IllegalArgumentException(
                        "every buffer has a region at least, and there is an output at least: inputs "
                                + Arrays.toString(inputs) + ", outputs " + Arrays.toString(outputs));
            }
            this.inputs = inputs.clone();
            this.outputs = outputs.clone();
            this.firstOutput = Arrays.stream(inputs).sum();
            this.firstScratch = firstOutput + Arrays.stream(outputs).sum();
        }

        /** The number of a region of an input buffer. */
        public int input(int buffer, int region) {
            return number(inputs, 0, buffer, region);
        }

        /** The number of a region of an output buffer. */
        public int output(int buffer, int region) {
            return number(outputs, firstOutput, buffer, region);
        }

        /** The number of a new scratch region. */
        public int scratch() {
            return firstScratch + scratch++;
        }

        /** Overwrites {@code out} with the product of the matrix (out x in coefficients, row by row) and {@code in}. */
        public Builder set(int[] out, int[] in, byte[] matrix) {
            return step(new Step(in, out, matrix, false));
        }

        /** Adds the product of the matrix and {@code in} to {@code out}. */
        public Builder add(int[] out, int[] in, byte[] matrix) {
            return step(new Step(in, out, matrix, true));
        }

        private Builder step(Step step) {
            for (int read : step.in()) {
                if (read < 0 || read >= firstScratch + scratch) {
                    throw new IllegalArgumentException("region " + read + " does not exist");
                }
                if (read >= firstOutput && !written.get(read)) {
                    throw new IllegalArgumentException("region " + read + " is read before a step wrote it");
                }
            }
            for (int out : step.out()) {
                if (out < firstOutput || out >= firstScratch + scratch) {
                    throw new IllegalArgumentException("region " + out + " cannot be written");
                }
                if (step.adds() && out >= firstScratch && !written.get(out)) {
                    throw new IllegalArgumentException("scratch region " + out + " is added to before a step wrote it");
                }
                written.set(out);
            }
            steps.add(step);
            return this;
        }

        private static int number(int[] counts, int first, int buffer, int region) {
            int number = first;
            for (int i = 0; i < buffer; i++) {
                number += counts[i];
            }
            if (region < 0 || region >= counts[buffer]) {
                throw new IllegalArgumentException(
                        "buffer " + buffer + " has " + counts[buffer] + " regions, not a region " + region);
            }
            return number + region;
        }

        public Schedule build() {
            return new Schedule(inputs, outputs, scratch, steps);
        }
    }
}
