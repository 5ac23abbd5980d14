package io.ecfs.message.ring;

/**
 * How long the recent chunk reads of a volume took at its datanode, from their arrival until their bytes were read.
 *
 * @param p50Micros within which half of them were answered; 0 while there were too few
 * @param p99Micros within which 99 of 100 were
 */
public record ReadTimes(long p50Micros, long p99Micros) {
    /** Too few reads to tell. */
    public static final ReadTimes NONE = new ReadTimes(0, 0);

    public ReadTimes {
        if (p50Micros < 0 || p99Micros < 0) {
            throw new IllegalArgumentException("p50=" + p50Micros + " p99=" + p99Micros + " of reads");
        }
    }

    public boolean known() {
        return p99Micros > 0;
    }
}
