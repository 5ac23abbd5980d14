package io.ecfs.bench.koh;

import java.util.SplittableRandom;

/**
 * Requests of one kind and size in the first file, aligned to their size, without an end; the same seed gives the same
 * ones. Not for several threads.
 */
public final class RequestStream {
    private final AccessPattern pattern;
    private final IoKind kind;
    private final int bytes;
    private final long places;
    private final SplittableRandom random;
    private long count;

    /** @param fileBytes at least {@code bytes}; sequential requests begin again at its end */
    public RequestStream(AccessPattern pattern, IoKind kind, int bytes, long fileBytes, long seed) {
        if (fileBytes < bytes) {
            throw new IllegalArgumentException("a file of " + fileBytes + " bytes has no place for " + bytes);
        }
        this.pattern = pattern;
        this.kind = kind;
        this.bytes = bytes;
        this.places = fileBytes / bytes;
        this.random = new SplittableRandom(seed);
    }

    public Request next() {
        long place = pattern == AccessPattern.RANDOM ? random.nextLong(places) : count % places;
        count++;
        return new Request(kind, 0, place * bytes, bytes);
    }
}
