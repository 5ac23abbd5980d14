package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.datanode.store.ring.journal.JournalTerms;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Randomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;

/** A machine with the disk of a volume and that of its journal: when one of them stops, so does the other. */
public final class StagedMachine {
    private static final Duration ROTATION = Duration.ofMillis(500);

    private final long seed;
    private final boolean outlivesPower;
    private final boolean synced;
    private final ManualTime time = new ManualTime(1);
    private final MemoryVolumeIo device;
    private MemoryVolumeIo journal;
    private Optional<StagedVolumeIo> open = Optional.empty();
    private Optional<String> crashedIn = Optional.empty();
    private boolean errorsBehindWrites;

    /**
     * @param outlivesPower false for a journal in memory
     * @param synced whether the device has synced everything when the process begins
     */
    public StagedMachine(long seed, boolean outlivesPower, boolean synced) {
        this.seed = seed;
        this.outlivesPower = outlivesPower;
        this.synced = synced;
        this.device = new MemoryVolumeIo("device", 1L << 31, new SplittableRandom(seed));
        this.journal = new MemoryVolumeIo("journal", 1L << 31, new SplittableRandom(seed + 1));
    }

    public MemoryVolumeIo device() {
        return device;
    }

    MemoryVolumeIo journal() {
        return journal;
    }

    /** That of the volume, or of its journal. */
    public MemoryVolumeIo disk(boolean ofVolume) {
        return ofVolume ? device : journal;
    }

    boolean isSyncedAtStart() {
        return synced;
    }

    public boolean crashed() {
        return device.crashed() || journal.crashed();
    }

    /** The call in which a disk of the machine stopped last. */
    Optional<String> crashedIn() {
        return crashedIn;
    }

    /** The process begins; in a ring from the beginning. */
    public StagedVolumeIo open() throws IOException {
        return open(1 << 12, 1L << 30);
    }

    StagedVolumeIo open(long segmentBytes, long journalBytes) throws IOException {
        return open(new Linked(device, journal), segmentBytes, journalBytes);
    }

    /** As {@link #open()} with another view of the volume's disk. */
    StagedVolumeIo open(VolumeIo volume) throws IOException {
        return open(volume, 1 << 12, 1L << 30);
    }

    private StagedVolumeIo open(VolumeIo volume, long segmentBytes, long journalBytes) throws IOException {
        MemoryVolumeIo journalDisk = journal;
        if (synced) {
            device.syncFileSystem();
        }
        StagedVolumeIo io = StagedVolumeIo.open(
                volume,
                new Linked(journalDisk, device),
                new JournalTerms(journalBytes, segmentBytes, outlivesPower),
                synced,
                time,
                Randomness.over(new Random(seed)));
        open = Optional.of(io);
        return io;
    }

    /** What requests know of the volume that was opened last. */
    StagedVolume volume() {
        return new StagedVolume(open.orElseThrow(), time.scheduler("delays"), time);
    }

    /** The process ends, or the machine loses its power, and both are there again. */
    public void restart(Loss loss) {
        device.restart(loss);
        if (loss == Loss.UNSYNCED && !outlivesPower) {
            journal = new MemoryVolumeIo("journal", 1L << 31, new SplittableRandom(seed + 2));
        } else {
            journal.restart(loss);
        }
    }

    /** @return the disk of the journal, instead of which there is an empty one */
    MemoryVolumeIo loseJournal() {
        MemoryVolumeIo lost = journal;
        journal = new MemoryVolumeIo("other journal", 1L << 31, new SplittableRandom(seed + 3));
        return lost;
    }

    void mount(MemoryVolumeIo disk) {
        journal = disk;
    }

    /** @param on whether writes of the journal land, and are reported as failed */
    void errorsBehindWritesOfTheJournal(boolean on) {
        errorsBehindWrites = on;
    }

    /** Some time passes in which the roles of the volume change as chance wants, and the drain works. */
    public void turn(Random random) throws IOException {
        StagedRoles.Wanted[] all = StagedRoles.Wanted.values();
        // Rarely outside of a ring.
        StagedRoles.Wanted wanted = all[random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(all.length - 1)];
        int steps = random.nextInt(4);
        if (random.nextInt(4) == 0) {
            advance(wanted); // its work waits in the queue of the disk while calls go on
        } else {
            go(wanted, steps, random.nextInt(5));
        }
    }

    private Optional<StagedRoles.Work> advance(StagedRoles.Wanted wanted) {
        Optional<StagedRoles.Work> work = open.orElseThrow().roles().advance(wanted, ROTATION, true);
        time.advance(Duration.ofMillis(300));
        return work;
    }

    /** The volume does for a while what is wanted. */
    void go(StagedRoles.Wanted wanted, int steps, int pieces) throws IOException {
        for (int step = 0; step <= steps; step++) {
            Optional<StagedRoles.Work> work = advance(wanted);
            if (work.isPresent()) {
                work.get().run();
            }
        }
        drain(pieces);
    }

    void drain(int pieces) throws IOException {
        StagedVolumeIo io = open.orElseThrow();
        for (int piece = 0; piece < pieces && io.roles().drains(); piece++) {
            Optional<Drain.Piece> next = io.drain().next();
            if (next.isEmpty()) {
                return;
            }
            next.get().run();
        }
    }

    void pass(Duration duration) {
        time.advance(duration);
    }

    /** Everything goes to the device. */
    public void drainAll() throws IOException {
        go(StagedRoles.Wanted.OUTSIDE, 1, Integer.MAX_VALUE);
        go(StagedRoles.Wanted.OUTSIDE, 1, Integer.MAX_VALUE);
    }

    /** A disk of a machine that stops as a whole. */
    private final class Linked extends ForwardingVolumeIo {
        private final MemoryVolumeIo own;
        private final MemoryVolumeIo other;

        Linked(MemoryVolumeIo own, MemoryVolumeIo other) {
            super(own);
            this.own = own;
            this.other = other;
        }

        private interface Step {
            void run() throws IOException;
        }

        private void run(String call, Step step) throws IOException {
            boolean first = !crashed();
            try {
                step.run();
            } finally {
                if (own.crashed()) {
                    crashedIn = first ? Optional.of(call) : crashedIn;
                    other.crashAtMutation(0);
                }
            }
        }

        @Override
        public void lock() {
            // a process that ends leaves no lock behind
        }

        @Override
        public void close() {
            // the disk goes on
        }

        @Override
        public void write(String file, long offset, ByteBuffer from) throws IOException {
            run("write", () -> super.write(file, offset, from));
            if (own == journal && errorsBehindWrites) {
                throw new IOException("the answer is lost");
            }
        }

        @Override
        public void createDirectory(String directory) throws IOException {
            run("createDirectory", () -> super.createDirectory(directory));
        }

        @Override
        public void create(String file) throws IOException {
            run("create", () -> super.create(file));
        }

        @Override
        public void truncate(String file, long length) throws IOException {
            run("truncate", () -> super.truncate(file, length));
        }

        @Override
        public void sync(String file) throws IOException {
            run("sync", () -> super.sync(file));
        }

        @Override
        public void syncDirectory(String directory) throws IOException {
            run("syncDirectory", () -> super.syncDirectory(directory));
        }

        @Override
        public void syncAll(List<String> files) throws IOException {
            run("syncAll", () -> super.syncAll(files));
        }

        @Override
        public void rename(String from, String to) throws IOException {
            run("rename", () -> super.rename(from, to));
        }

        @Override
        public void delete(String file) throws IOException {
            run("delete", () -> super.delete(file));
        }
    }
}
