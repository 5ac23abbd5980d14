package io.ecfs.message.chunk;

import io.ecfs.message.DatanodeId;
import java.util.List;
import java.util.Objects;

/**
 * Work of rebuilding a chunk on its target, by the target's clock. Slices go through the phases one after the other, so
 * each phase has the time that was spent in it and the moment when it was over for good.
 *
 * @param ranMillis from taking the order up until its end
 * @param read bytes of sources fetched
 * @param decode the chunk computed
 * @param verify the chunk computed a second time from others, or read back
 * @param write the chunk and its checksums on disk, published
 * @param bytesRead stored bytes asked of sources
 * @param bytesRepaired of the chunk that were written
 * @param sources in the order of their indexes
 */
public record RebuildWork(
        long ranMillis,
        Phase read,
        Phase decode,
        Phase verify,
        Phase write,
        long bytesRead,
        long bytesRepaired,
        List<Source> sources) {

    /** @param endMillis since the rebuild began; -1: it was not gone through */
    public record Phase(long busyMicros, long endMillis) {
        public static final Phase NONE = new Phase(0, -1);
    }

    /** Bytes read of one chunk of the group. */
    public record Source(int index, DatanodeId datanode, long bytes) {
        public Source {
            Objects.requireNonNull(datanode, "datanode");
        }
    }

    public RebuildWork {
        Objects.requireNonNull(read, "read");
        Objects.requireNonNull(decode, "decode");
        Objects.requireNonNull(verify, "verify");
        Objects.requireNonNull(write, "write");
        sources = List.copyOf(sources);
    }
}
