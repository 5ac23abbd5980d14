package io.ecfs.sim.cluster;

import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.ReadOnlyVolumeException;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.sim.time.SimWorkers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * The door of a datanode to a disk in memory, as good as the disk until something is made wrong with it: that lasts
 * while the datanode is down, and is there when it is up again.
 */
public final class SimDisk extends ForwardingVolumeIo {
    private final MemoryVolumeIo memory;
    private Condition condition = Condition.SOUND;
    private Duration slower = Duration.ZERO;
    private boolean hung;
    private Optional<SimWorkers> workers = Optional.empty();

    /** What is wrong with the disk. */
    public enum Condition {
        SOUND,
        /** No call succeeds. */
        GONE,
        /** No byte can be read. */
        UNREADABLE,
        /** No byte is free. */
        FULL,
        READ_ONLY;

        private void refuse(Operation operation, String path) throws IOException {
            if (this == GONE) {
                throw new IOException(path + ": No such device");
            } else if (this == UNREADABLE && operation == Operation.READ) {
                throw new UnreadableFileException(path, path + ": Input/output error");
            } else if (this == READ_ONLY && operation.mutates()) {
                throw new ReadOnlyVolumeException(path + ": Read-only file system");
            } else if (this == FULL && operation == Operation.CREATE) {
                throw new VolumeFullException(path + ": No space left on device");
            }
        }
    }

    SimDisk(MemoryVolumeIo memory) {
        super(memory);
        this.memory = memory;
    }

    public void become(Condition now) {
        condition = now;
        memory.faults(
                now == Condition.SOUND ? DiskFaults.NONE : (operation, path, number) -> now.refuse(operation, path));
    }

    /** Each call takes so much longer. */
    public void slow(Duration longer) {
        slower = longer;
        workers.ifPresent(threads -> threads.slow(longer));
    }

    /** Whether calls return. */
    public void hang(boolean hangs) {
        hung = hangs;
        workers.ifPresent(threads -> {
            if (hangs) {
                threads.hang();
            } else {
                threads.resume();
            }
        });
    }

    /** Returns whether a volume can be opened on it. */
    boolean opens() {
        return condition == Condition.SOUND || condition == Condition.FULL;
    }

    /** The threads of the process that uses it from now on. */
    void servedBy(SimWorkers threads) {
        workers = Optional.of(threads);
        threads.slow(slower);
        if (hung) {
            threads.hang();
        }
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        if (condition == Condition.FULL
                && offset + from.remaining() > length(file).orElse(0)) {
            throw new VolumeFullException(describe() + ": no space for " + file);
        }
        super.write(file, offset, from);
    }

    @Override
    public Space space() throws IOException {
        if (condition == Condition.GONE) {
            throw new IOException(describe() + ": No such device");
        } else if (condition == Condition.READ_ONLY) {
            throw new ReadOnlyVolumeException(describe() + ": Read-only file system");
        }
        Space space = super.space();
        return condition == Condition.FULL ? new Space(space.capacityBytes(), 0) : space;
    }
}
