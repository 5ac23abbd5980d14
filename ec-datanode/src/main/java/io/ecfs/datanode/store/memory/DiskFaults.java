package io.ecfs.datanode.store.memory;

import java.io.IOException;

/** Decides, before each operation of a {@link MemoryVolumeIo}, whether it fails. */
@FunctionalInterface
public interface DiskFaults {
    DiskFaults NONE = (operation, path, number) -> {};

    /** Operation that is about to run. */
    enum Operation {
        CREATE_DIRECTORY,
        CREATE,
        LENGTH,
        READ,
        WRITE,
        TRUNCATE,
        SYNC,
        SYNC_DIRECTORY,
        RENAME,
        DELETE,
        LIST;

        /** Returns whether it can change the content of the disk, or what of it survives. */
        public boolean mutates() {
            return this != LENGTH && this != READ && this != LIST;
        }
    }

    /**
     * @param number how many operations came before it
     * @throws IOException to let it fail with just that; nothing is changed then
     */
    void before(Operation operation, String path, long number) throws IOException;
}
