package io.ecfs.client.read.stream;

import io.ecfs.client.read.span.FileBytes;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;

/** Spans that lie behind one another and are read ahead of their use. For one thread at a time. */
final class ReadWindow implements AutoCloseable {
    private final AheadSource file;
    private final ArrayDeque<AheadSource.Ahead> spans = new ArrayDeque<>();

    ReadWindow(AheadSource file) {
        this.file = file;
    }

    /**
     * Has up to {@code most} spans in flight, from {@code position} or from where the window ends, as far as memory
     * allows.
     */
    void readAhead(long position, long limit, int most) throws IOException {
        dropBefore(position);
        long next = spans.isEmpty() ? position : spans.peekLast().to();
        while (spans.size() < most && next < limit) {
            Optional<AheadSource.Ahead> ahead = file.ahead(next, limit);
            if (ahead.isEmpty()) {
                return;
            }
            spans.add(ahead.get());
            next = ahead.get().to();
        }
    }

    /**
     * Waits for the span that holds {@code position}, when it is under way.
     *
     * @return bytes that the caller owns; empty when the position is not in the window, or some of what was gathered
     *     with it could not be read
     */
    Optional<FileBytes> take(long position) throws IOException {
        dropBefore(position);
        if (spans.isEmpty() || position < spans.peek().from()) {
            return Optional.empty();
        }
        AheadSource.Ahead ahead = spans.remove();
        try {
            return Optional.of(Await.result(ahead.fetch()));
        } catch (IOException e) {
            ahead.discard();
            if (ahead.gathered()) {
                close(); // the bytes of this position may be there: a read of them alone meets the failure, or none
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Discards spans that end at or before the position, and of all when it lies before them. */
    private void dropBefore(long position) {
        while (!spans.isEmpty()
                && (spans.peek().to() <= position || position < spans.peek().from())) {
            spans.remove().discard();
        }
    }

    @Override
    public void close() {
        while (!spans.isEmpty()) {
            spans.remove().discard();
        }
    }
}
