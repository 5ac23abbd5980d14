package io.ecfs.code.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Schedules of every kind: sub-chunks, scratch, steps that add, XOR steps, coefficients 0 and 1. */
public final class RandomSchedules {
    private RandomSchedules() {}

    public static Schedule next(Random random) {
        int[] inputs = counts(random.nextInt(7), random);
        int[] outputs = counts(1 + random.nextInt(5), random);
        Schedule.Builder builder = new Schedule.Builder(inputs, outputs);
        List<Integer> readable = new ArrayList<>(regions(inputs, 0));
        List<Integer> writable = new ArrayList<>(regions(outputs, readable.size()));
        List<Integer> untouched = new ArrayList<>(writable);
        int steps = 1 + random.nextInt(6);
        for (int i = 0; i < steps; i++) {
            boolean adds = random.nextInt(3) == 0;
            if (!adds && random.nextInt(3) == 0) {
                writable.add(builder.scratch());
            }
            // Scratch cannot be added to before it was set; outputs can.
            List<Integer> candidates = new ArrayList<>(writable);
            candidates.removeIf(region -> adds && !readable.contains(region) && !untouched.contains(region));
            List<Integer> out = some(candidates, 1 + random.nextInt(8), random);
            List<Integer> sources = new ArrayList<>(readable);
            sources.removeAll(out);
            List<Integer> in = some(sources, 1 + random.nextInt(11), random);
            if (in.isEmpty() || out.isEmpty()) {
                continue;
            }
            byte[] matrix = matrix(in.size() * out.size(), random);
            if (adds) {
                builder.add(array(out), array(in), matrix);
            } else {
                builder.set(array(out), array(in), matrix);
            }
            out.stream().filter(region -> !readable.contains(region)).forEach(readable::add);
        }
        return builder.build();
    }

    private static int[] counts(int buffers, Random random) {
        int[] counts = new int[buffers];
        Arrays.setAll(counts, i -> random.nextInt(3) == 0 ? 1 + random.nextInt(9) : 1);
        return counts;
    }

    private static List<Integer> regions(int[] counts, int from) {
        List<Integer> regions = new ArrayList<>();
        for (int i = 0; i < Arrays.stream(counts).sum(); i++) {
            regions.add(from + i);
        }
        return regions;
    }

    private static List<Integer> some(List<Integer> of, int most, Random random) {
        List<Integer> shuffled = new ArrayList<>(of);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, Math.min(most, shuffled.size()));
    }

    private static byte[] matrix(int size, Random random) {
        byte[] matrix = new byte[size];
        random.nextBytes(matrix);
        int kind = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            if (kind == 0) {
                matrix[i] = 1;
            } else if (kind == 1 && random.nextBoolean()) {
                matrix[i] = (byte) random.nextInt(2);
            }
        }
        return matrix;
    }

    private static int[] array(List<Integer> regions) {
        return regions.stream().mapToInt(Integer::intValue).toArray();
    }
}
