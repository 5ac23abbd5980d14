package io.ecfs.bench.bed;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Pages of images, in the manner of the Wikipedia trace: images of a page and bytes of an image follow power laws with
 * medians of about 10 and 500 KB, pages are drawn by Zipf. Each image is on one page.
 */
final class WikiPages implements Requests {
    private static final double IMAGES_TAIL = 1.6;
    private static final double BYTES_TAIL = 1.5;
    private static final int MEDIAN_IMAGES = 10;
    private static final int MOST_IMAGES = 100;
    private static final int MEDIAN_BYTES = 500_000;
    private static final int MOST_BYTES = 20_000_000;

    private final int[] blockBytes;
    private final int[] firstOfPage;
    private final PowerLaw pages;

    /** @param images in all */
    WikiPages(int images, double exponent, SplittableRandom random) {
        blockBytes = new int[images];
        for (int i = 0; i < images; i++) {
            blockBytes[i] = paretoOfMedian(MEDIAN_BYTES, BYTES_TAIL, MOST_BYTES, random);
        }
        int[] firsts = new int[images + 1];
        int count = 0;
        for (int at = 0; at < images; count++) {
            firsts[count] = at;
            at = Math.min(images, at + paretoOfMedian(MEDIAN_IMAGES, IMAGES_TAIL, MOST_IMAGES, random));
            firsts[count + 1] = at;
        }
        firstOfPage = Arrays.copyOf(firsts, count + 1);
        pages = new PowerLaw(count, exponent);
    }

    @Override
    public int[] blockBytes() {
        return blockBytes;
    }

    @Override
    public int[] next(SplittableRandom random) {
        int page = pages.draw(random);
        int[] blocks = new int[firstOfPage[page + 1] - firstOfPage[page]];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = firstOfPage[page] + i;
        }
        return blocks;
    }

    /** The trace has its skew from the beginning. */
    @Override
    public void skew() {}

    private static int paretoOfMedian(int median, double tail, int most, SplittableRandom random) {
        double least = median / Math.pow(2, 1 / tail);
        return (int) Math.max(1, Math.min(most, least / Math.pow(1 - random.nextDouble(), 1 / tail)));
    }
}
