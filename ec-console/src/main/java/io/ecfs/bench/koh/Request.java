package io.ecfs.bench.koh;

import java.util.function.Consumer;

/**
 * One request of an application.
 *
 * @param file number of the file in its set
 * @param position of the first byte; 0 for metadata
 * @param bytes at least 1; 0 for metadata
 */
public record Request(IoKind kind, int file, long position, int bytes) {
    public Request {
        if (file < 0 || position < 0 || bytes < 0 || (bytes == 0) != (kind == IoKind.METADATA)) {
            throw new IllegalArgumentException(
                    "no such request: " + kind + " of " + bytes + " bytes at " + position + " of file " + file);
        }
    }

    public static Request metadata(int file) {
        return new Request(IoKind.METADATA, file, 0, 0);
    }

    /**
     * Hands out requests of one size in the first file, aligned to their size.
     *
     * @param fileBytes at least {@code bytes}; sequential ones begin again at its end
     */
    public static void each(
            AccessPattern pattern,
            IoKind kind,
            int bytes,
            long fileBytes,
            long count,
            long seed,
            Consumer<Request> consumer) {
        RequestStream requests = new RequestStream(pattern, kind, bytes, fileBytes, seed);
        for (long i = 0; i < count; i++) {
            consumer.accept(requests.next());
        }
    }
}
