package io.ecfs.client.read.span;

import java.nio.ByteBuffer;
import java.util.List;

/** Verified bytes of a stretch of a group. The owner closes it, once. */
interface GroupBytes extends AutoCloseable {
    /** First group byte. */
    long from();

    /** Group byte behind the last. */
    long to();

    /** Copies group bytes [from, to) to where {@code target} stands, and moves its position. */
    void copyTo(long from, long to, ByteBuffer target);

    /** The same bytes where they are, in their order: slices that are valid until {@link #close}. */
    List<ByteBuffer> slices(long from, long to);

    @Override
    void close();
}
