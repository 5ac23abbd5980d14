package io.ecfs.client.read.stream;

import io.ecfs.client.read.span.FileBytes;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The reads of one file that a stream and its window begin. */
interface AheadSource {
    /**
     * File bytes [from, to) that are being read.
     *
     * @param gathered whether they lie in several places, some of which may be readable when others are not
     */
    record Ahead(long from, long to, CompletableFuture<FileBytes> fetch, boolean gathered) {
        /** Releases the bytes, also when they arrive later. */
        void discard() {
            AheadSource.discard(fetch);
        }
    }

    String path();

    long length();

    /** Number of spans that a sequential reader reads ahead. */
    int readAheadSpans();

    /** Waits for bytes from {@code from} on: at most up to {@code limit}, and at most one span. */
    FileBytes demand(long from, long limit) throws IOException;

    /** Begins to read one span from {@code from} on; empty when there is no memory for it now. */
    Optional<Ahead> ahead(long from, long limit) throws IOException;

    /** Cancels a fetch, or releases its bytes. */
    static void discard(CompletableFuture<FileBytes> fetch) {
        if (!fetch.cancel(false)) {
            fetch.whenComplete((bytes, failure) -> {
                if (bytes != null) {
                    bytes.close();
                }
            });
        }
    }
}
