package io.ecfs.console.bed;

/**
 * What is simulated.
 *
 * @param dataChunks k of the code; replicas are the same with k = 1
 * @param parityChunks of a block
 * @param lateBinding chunks that are asked for beyond the k that are needed, whose first k win
 * @param callsOff what such chunks wait for at a site is called off when the first k are there; otherwise it is read and not used
 * @param clients that read one request after the other, without a pause
 * @param warmSeconds simulated time before the skew begins
 * @param seconds simulated time that is measured
 * @param failed sites that do not answer from the beginning of what is measured, and are not repaired
 */
record BedSettings(
        int dataChunks,
        int parityChunks,
        int lateBinding,
        boolean callsOff,
        int clients,
        double warmSeconds,
        double seconds,
        int failed,
        Device device,
        long seed) {
    /** Between client and site, both ways together: a 10 Gb/s network in one hall. */
    static final long NETWORK_NANOS = 200_000;

    BedSettings {
        if (lateBinding > parityChunks) {
            throw new IllegalArgumentException("late binding asks for at most the " + parityChunks
                    + " chunks beyond those needed, not " + lateBinding);
        }
        if (failed > parityChunks) {
            throw new IllegalArgumentException(
                    "with " + failed + " failed sites some blocks have fewer than " + dataChunks + " chunks left");
        }
    }

    int chunks() {
        return dataChunks + parityChunks;
    }
}
