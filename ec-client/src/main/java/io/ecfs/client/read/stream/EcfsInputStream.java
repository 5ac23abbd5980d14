package io.ecfs.client.read.stream;

import io.ecfs.client.read.span.FileBytes;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/**
 * A file as a stream with a position. In sequential use whole spans are read ahead, k chunks in parallel; after a seek
 * only what is asked for and a little more, until the reader goes on in sequence. Memory that a stream has between
 * calls comes from the read-ahead budget, for which no read waits, so that idle streams block no others. Positional
 * reads do not disturb it. For one thread at a time.
 */
public final class EcfsInputStream extends InputStream {
    /** Least that is fetched at once and retained for small reads. */
    private static final int SPARE_BYTES = 64 * 1024;

    /** Most remaining bytes of a file read in sequence that are fetched at once. */
    private static final int SMALL_REST_BYTES = 256 * 1024;

    /** Fetches in sequence after which a reader counts as sequential. */
    private static final int STREAK = 2;

    private final AheadSource file;
    private final ReadWindow window;
    private Optional<FileBytes> current = Optional.empty();
    private ByteBuffer spare = ByteBuffer.allocate(0);
    private long spareFrom;
    private long position;
    private long expected;
    private int streak = STREAK;
    private boolean closed;

    EcfsInputStream(AheadSource file) {
        this.file = file;
        this.window = new ReadWindow(file);
    }

    /** Length of the file in bytes at the time when it was opened. */
    public long length() {
        return file.length();
    }

    public long position() {
        return position;
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} for a position that is not in [0, length] */
    public void seek(long target) throws IOException {
        requireOpen();
        if (target < 0 || target > file.length()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "seek to " + target + " in " + file.path() + " of " + file.length() + " bytes");
        }
        position = target;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        return read(ByteBuffer.wrap(bytes, offset, length));
    }

    /** Reads at least one byte, unless the target is full or the file ends (-1). */
    public int read(ByteBuffer target) throws IOException {
        requireOpen();
        if (!target.hasRemaining()) {
            return 0;
        }
        if (position >= file.length()) {
            return -1;
        }
        int before = target.position();
        while (target.hasRemaining() && position < file.length()) {
            if (target.position() > before && !atHand()) {
                break;
            }
            int from = target.position();
            readSome(target);
            position += target.position() - from;
            expected = position;
        }
        dropCurrentAtEnd();
        return target.position() - before;
    }

    private void dropCurrentAtEnd() {
        if (position == file.length()) {
            dropCurrent();
        }
    }

    private void dropCurrent() {
        current.ifPresent(FileBytes::close);
        current = Optional.empty();
    }

    /** Takes bytes where they are, on the thread that reads. */
    @FunctionalInterface
    public interface Borrower {
        /** @param bytes read-only, not empty, and the stream's again when this returns */
        void accept(ByteBuffer bytes) throws IOException;
    }

    /**
     * Passes on the next bytes, at least one, unless the file ends (-1). Those that were read ahead are not copied. The
     * position moves with each buffer that is taken.
     *
     * @param most how many bytes at most, at least 1
     */
    public long lend(long most, Borrower to) throws IOException {
        requireOpen();
        if (position >= file.length()) {
            return -1;
        }
        long before = position;
        boolean spared = inSpare();
        if (!spared) {
            holdCurrent();
        }
        if (!spared && current.isPresent()) {
            FileBytes bytes = current.get();
            for (ByteBuffer slice : bytes.slices(position, position + Math.min(most, bytes.to() - position))) {
                int length = slice.remaining();
                to.accept(slice);
                position += length;
                expected = position;
            }
        } else {
            ByteBuffer copy = ByteBuffer.allocate((int) Math.min(SPARE_BYTES, most));
            int length = read(copy);
            position -= length;
            to.accept(copy.flip().asReadOnlyBuffer());
            position += length;
        }
        dropCurrentAtEnd();
        return position - before;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = Math.max(0, Math.min(count, file.length() - position));
        seek(position + skipped);
        return skipped;
    }

    @Override
    public int available() throws IOException {
        requireOpen();
        return (int) Math.min(Integer.MAX_VALUE, file.length() - position);
    }

    /** Gives back all memory that the stream holds; it can be read on. */
    public void unbuffer() {
        dropCurrent();
        window.close();
        spare = ByteBuffer.allocate(0);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            unbuffer();
        }
    }

    private boolean atHand() {
        return inSpare() || current.filter(c -> c.contains(position)).isPresent();
    }

    private boolean inSpare() {
        return position >= spareFrom && position < spareFrom + spare.limit();
    }

    private void readSome(ByteBuffer target) throws IOException {
        if (inSpare()) {
            copySpare(target);
            return;
        }
        holdCurrent();
        if (current.isPresent()) {
            current.get().copyTo(position, target);
        } else {
            readOnDemand(target);
        }
    }

    /** Has the span of the position at hand, when it was read ahead. */
    private void holdCurrent() throws IOException {
        if (current.filter(c -> c.contains(position)).isEmpty()) {
            dropCurrent();
            current = nextAhead();
        }
    }

    private Optional<FileBytes> nextAhead() throws IOException {
        if (position != expected) {
            streak = 0;
        }
        Optional<FileBytes> taken = window.take(position);
        if (taken.isEmpty() && streak >= STREAK && file.length() - position <= SMALL_REST_BYTES) {
            topUp(position);
            return window.take(position);
        }
        if (taken.isPresent()) {
            topUp(taken.get().to());
        }
        return taken;
    }

    private void readOnDemand(ByteBuffer target) throws IOException {
        long limit = Math.min(file.length(), position + Math.max(target.remaining(), SPARE_BYTES));
        try (FileBytes bytes = file.demand(position, limit)) {
            long copied = Math.min(target.remaining(), bytes.to() - position);
            bytes.copyTo(position, target);
            retainSpare(bytes, position + copied);
            streak = Math.min(STREAK, streak + 1);
            if (streak >= STREAK) {
                topUp(bytes.to());
            }
        }
    }

    private void topUp(long from) {
        try {
            window.readAhead(from, file.length(), file.readAheadSpans());
        } catch (IOException e) {
            // Reading ahead is optional: a read of these bytes meets the failure itself.
            window.close();
        }
    }

    private void retainSpare(FileBytes bytes, long from) {
        ByteBuffer rest = ByteBuffer.allocate((int) Math.min(SPARE_BYTES, bytes.to() - from));
        bytes.copyTo(from, rest);
        spare = rest.flip();
        spareFrom = from;
    }

    private void copySpare(ByteBuffer target) {
        int at = (int) (position - spareFrom);
        int bytes = Math.min(target.remaining(), spare.limit() - at);
        target.put(spare.slice(at, bytes));
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "stream of " + file.path() + " is closed");
        }
    }
}
