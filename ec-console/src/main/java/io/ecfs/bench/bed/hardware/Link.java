package io.ecfs.bench.bed.hardware;

/** One direction of a cable: messages pass one after the other, in the order in which their first bytes come. */
final class Link {
    private long freeAt;

    /**
     * Takes the link for a message.
     *
     * @return when its first byte enters: {@code from}, or when the link is free
     */
    long take(long from, long nanos) {
        long begin = Math.max(from, freeAt);
        freeAt = begin + nanos;
        return begin;
    }
}
