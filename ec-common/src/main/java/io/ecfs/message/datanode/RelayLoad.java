package io.ecfs.message.datanode;

/**
 * Load of a datanode by the stripes that it encodes and distributes for writers, as their master.
 *
 * @param relays groups that it relays at the moment, each for one writer
 * @param bytes memory of their stripes under way
 * @param refused cells and relays that it refused with {@code BUSY} since its process began
 */
public record RelayLoad(long relays, long bytes, long refused) {
    public RelayLoad {
        if (relays < 0 || bytes < 0 || refused < 0) {
            throw new IllegalArgumentException(
                    "load of relays is negative: relays=" + relays + " bytes=" + bytes + " refused=" + refused);
        }
    }

    /** The present load, with the refusals since an earlier one; all of them when the datanode has begun anew. */
    public RelayLoad since(RelayLoad before) {
        return new RelayLoad(relays, bytes, refused < before.refused ? refused : refused - before.refused);
    }
}
