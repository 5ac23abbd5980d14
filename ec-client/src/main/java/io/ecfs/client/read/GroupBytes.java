package io.ecfs.client.read;

import java.nio.ByteBuffer;

/** Verified bytes of a stretch of a group. The owner closes it, once. */
interface GroupBytes extends AutoCloseable {
    /** First group byte. */
    long from();

    /** Group byte behind the last. */
    long to();

    /** Copies group bytes [from, to) to where {@code target} stands, and moves its position. */
    void copyTo(long from, long to, ByteBuffer target);

    @Override
    void close();
}
