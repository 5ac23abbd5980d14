package io.ecfs.bench.load;

import java.util.SplittableRandom;

/**
 * Sizes of small files in bytes, evenly spread over the orders of magnitude from {@code least} to {@code most}; a file
 * of a number always has the same.
 */
public record FileSizes(int least, int most) {
    public FileSizes {
        if (least < 1 || most < least || most > Content.SLICE) {
            throw new IllegalArgumentException("--file-size must be from 1 to " + Content.SLICE
                    + ", the smallest first," + " got " + (least == most ? "" + least : least + "-" + most));
        }
    }

    /** Of the file of a number. */
    public int of(long number) {
        double share = new SplittableRandom(number).nextDouble();
        return (int) Math.round(least * Math.pow(most / (double) least, share));
    }

    /** Expected for a random file. */
    public double mean() {
        return least == most ? least : (most - least) / Math.log(most / (double) least);
    }

    /** Of the files from number 0 on. */
    public long total(int files) {
        long total = 0;
        for (int i = 0; i < files; i++) {
            total += of(i);
        }
        return total;
    }
}
