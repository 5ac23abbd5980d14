package io.ecfs.bench.bed.erails.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.bench.bed.cluster.ChunkReadVolumeIo;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.StagedRoles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A real device, whose requests are counted. A read counts as disturbed when it ends beside a write or a sync, or
 * before the device has rested from the last one. Safe for use by several threads.
 */
final class CountedDisk implements RingDisk {
    private final LongSupplier nanos;

    @GuardedBy("this")
    private boolean on;

    @GuardedBy("this")
    private int writing;

    @GuardedBy("this")
    private long restedAt;

    @GuardedBy("this")
    private DiskCounts counts = DiskCounts.NONE;

    CountedDisk(LongSupplier nanos) {
        this.nanos = nanos;
        this.restedAt = nanos.getAsLong();
    }

    @Override
    public VolumeIo around(VolumeIo directory) {
        return new Counting(directory);
    }

    @Override
    public synchronized void on(boolean wanted) {
        on = wanted;
    }

    @Override
    public synchronized DiskCounts counts() {
        return counts;
    }

    private synchronized void read(long bytes) {
        add(DiskCounts.ofRead(bytes, writing > 0 || nanos.getAsLong() - restedAt < 0));
    }

    private synchronized void writeBegins() {
        writing++;
    }

    private synchronized void writeEnds() {
        writing--;
        restedAt = nanos.getAsLong() + StagedRoles.REST.toNanos();
    }

    private synchronized void add(DiskCounts more) {
        if (on) {
            counts = counts.plus(more);
        }
    }

    private interface Change {
        void run() throws IOException;
    }

    private final class Counting extends ChunkReadVolumeIo {
        Counting(VolumeIo disk) {
            super(disk);
        }

        private void writing(Change change) throws IOException {
            writeBegins();
            try {
                change.run();
            } finally {
                writeEnds();
            }
        }

        private void changing(Change change) throws IOException {
            writing(change);
            add(DiskCounts.ofWrite(0));
        }

        @Override
        protected void chunkRead(int bytes) {
            CountedDisk.this.read(bytes);
        }

        @Override
        public void write(String file, long offset, ByteBuffer from) throws IOException {
            int bytes = from.remaining();
            writing(() -> super.write(file, offset, from));
            add(DiskCounts.ofWrite(bytes));
        }

        @Override
        public void createDirectory(String directory) throws IOException {
            changing(() -> super.createDirectory(directory));
        }

        @Override
        public void create(String file) throws IOException {
            changing(() -> super.create(file));
        }

        @Override
        public void truncate(String file, long length) throws IOException {
            changing(() -> super.truncate(file, length));
        }

        @Override
        public void rename(String from, String to) throws IOException {
            changing(() -> super.rename(from, to));
        }

        @Override
        public void delete(String file) throws IOException {
            changing(() -> super.delete(file));
        }

        @Override
        public void sync(String file) throws IOException {
            writing(() -> super.sync(file));
        }

        @Override
        public void syncDirectory(String directory) throws IOException {
            writing(() -> super.syncDirectory(directory));
        }

        @Override
        public void syncAll(List<String> files) throws IOException {
            writing(() -> super.syncAll(files));
        }
    }
}
