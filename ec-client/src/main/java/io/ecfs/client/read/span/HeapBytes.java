package io.ecfs.client.read.span;

import java.nio.ByteBuffer;
import java.util.List;

/** Group bytes in memory that needs no release. */
record HeapBytes(long from, byte[] bytes) implements GroupBytes {
    @Override
    public long to() {
        return from + bytes.length;
    }

    @Override
    public void copyTo(long begin, long end, ByteBuffer target) {
        target.put(bytes, Math.toIntExact(begin - from), Math.toIntExact(end - begin));
    }

    @Override
    public List<ByteBuffer> slices(long begin, long end) {
        return List.of(ByteBuffer.wrap(bytes, Math.toIntExact(begin - from), Math.toIntExact(end - begin))
                .asReadOnlyBuffer());
    }

    @Override
    public void close() {}
}
