package io.ecfs.client.update;

import io.ecfs.patch.PatchBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of one batch by their offsets in its group: its head, and the data of each write; between them are zeros.
 */
final class PatchParts {
    private final List<Part> parts = new ArrayList<>();

    /** Bytes from an offset in the group on; the buffer is to be left as it is. */
    record Part(long offset, ByteBuffer bytes) {
        long end() {
            return offset + bytes.remaining();
        }
    }

    /**
     * @param nonce of the file
     * @param data of each write, in the order of the batch: what remains in each
     */
    PatchParts(PatchBatch batch, long nonce, List<ByteBuffer> data) {
        parts.add(new Part(batch.groupOffset(), batch.head(nonce)));
        for (int i = 0; i < data.size(); i++) {
            parts.add(new Part(batch.dataOffset(i), data.get(i)));
        }
    }

    /** In the order of their offsets. */
    List<Part> all() {
        return parts;
    }
}
