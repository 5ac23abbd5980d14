package io.ecfs.sim.cluster;

/**
 * File contents that tell of every byte whose it is and where it belongs: eight bytes of a mix of the file's tag and
 * the position.
 */
public final class Contents {
    private Contents() {}

    public static byte[] of(long tag, int from, int to) {
        byte[] bytes = new byte[to - from];
        for (int at = from; at < to; at++) {
            bytes[at - from] = at(tag, at);
        }
        return bytes;
    }

    /**
     * Offset at which {@code bytes}, read from the beginning of a file, first differ from the tag's contents; -1:
     * nowhere.
     */
    public static int firstDifference(long tag, byte[] bytes) {
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] != at(tag, at)) {
                return at;
            }
        }
        return -1;
    }

    private static byte at(long tag, int position) {
        long word = (tag * 0x9E3779B97F4A7C15L) ^ ((position >>> 3) * 0xD1B54A32D192ED03L);
        word = (word ^ (word >>> 29)) * 0xBF58476D1CE4E5B9L;
        return (byte) (word >>> ((position & 7) * 8) ^ (word >>> 41));
    }
}
