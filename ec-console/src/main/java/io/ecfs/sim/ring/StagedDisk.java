package io.ecfs.sim.ring;

import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.datanode.store.ring.StagedVolumeIo;
import io.ecfs.datanode.store.ring.VolumeRole;
import io.ecfs.datanode.store.ring.journal.JournalTerms;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A disk in memory with its journal on another one; both outlive the processes that use them, and stop together. It
 * counts the moments at which the disk is written although its volume only reads.
 */
public final class StagedDisk {
    private final MemoryVolumeIo memory;
    private final VolumeIo door;
    private final RingWorld world;
    private final SplittableRandom random;
    private final Clock time;
    private final Consumer<String> wrong;
    private MemoryVolumeIo journal;
    private Loss loss = Loss.NOTHING;
    private Optional<WatchedVolumeIo> port = Optional.empty();
    private Optional<StagedVolumeIo> staged = Optional.empty();
    private long mixedAt = -1;
    private long mixed;
    private String lastMixed = "";

    /**
     * @param door by which {@code memory} is used
     * @param time of the world
     * @param wrong gets what must not be
     */
    public StagedDisk(
            MemoryVolumeIo memory,
            VolumeIo door,
            RingWorld world,
            SplittableRandom random,
            Clock time,
            Consumer<String> wrong) {
        this.memory = memory;
        this.door = door;
        this.world = world;
        this.random = random;
        this.time = time;
        this.wrong = wrong;
        this.journal = emptyJournal();
    }

    private MemoryVolumeIo emptyJournal() {
        return new MemoryVolumeIo(
                memory.describe() + "-journal", 2 * world.journalBytes() + (4L << 20), random.split());
    }

    /** Begins a process: the port of its volume. */
    public VolumeIo open(Environment environment) throws IOException {
        mixed = 0;
        staged = Optional.empty();
        memory.syncFileSystem();
        JournalTerms terms = new JournalTerms(world.journalBytes(), RingWorld.SEGMENT_BYTES, world.outlivesPower());
        StagedVolumeIo io = StagedVolumeIo.open(
                new Device(door),
                new OneMachine(journal, memory),
                terms,
                true,
                environment.clock(),
                environment.randomness());
        boolean onDisk = loss == Loss.UNSYNCED || world.outlivesPower();
        port = Optional.of(WatchedVolumeIo.begin(io, port, loss, onDisk, wrong));
        staged = Optional.of(io);
        loss = Loss.NOTHING;
        return port.get();
    }

    /** The staged volume of the process that uses the disk now or did last. */
    public StagedVolumeIo staged() {
        return staged.orElseThrow();
    }

    public MemoryVolumeIo memory() {
        return memory;
    }

    public MemoryVolumeIo journal() {
        return journal;
    }

    /** The process ends, if it has not yet; after {@link MemoryVolumeIo#restart} of the disk. */
    public void restart(Loss how) {
        loss = how == Loss.UNSYNCED ? how : loss;
        if (how == Loss.UNSYNCED && !world.outlivesPower()) {
            journal = emptyJournal();
        } else {
            journal.restart(how);
        }
    }

    /** Somebody changes bytes of the disk besides its process. */
    public void disturb() {
        port.ifPresent(WatchedVolumeIo::disturb);
    }

    /** Says what is wrong with the writes of the disk. */
    public void check() {
        if (staged.isPresent()) {
            long spills = staged.get().counts().allSpills();
            if (mixed > spills) {
                wrong.accept(memory.describe() + " was written " + mixed + " times while its volume only reads, with "
                        + spills + " spills, last by " + lastMixed);
            }
            long lost = staged.get().counts().lostFiles();
            if (lost > 0) {
                wrong.accept(memory.describe() + " has lost " + lost + " staged files with no fault of its journal");
            }
        }
    }

    private void noteMutation(String what) {
        if (staged.isPresent()) {
            VolumeRole role = staged.get().roles().role();
            if ((role == VolumeRole.READING || role == VolumeRole.DRAINING_READS) && mixedAt != time.nanos()) {
                mixedAt = time.nanos();
                mixed++;
                lastMixed = what;
            }
        }
    }

    /** A disk of a machine that stops as a whole. */
    private static class OneMachine extends ForwardingVolumeIo {
        private final MemoryVolumeIo other;

        OneMachine(VolumeIo own, MemoryVolumeIo other) {
            super(own);
            this.other = other;
        }

        void before(String what) throws IOException {
            if (other.crashed()) {
                throw new IOException("the machine is off: " + what);
            }
        }

        @Override
        public void create(String file) throws IOException {
            before("create " + file);
            super.create(file);
        }

        @Override
        public void createDirectory(String directory) throws IOException {
            before("create directory " + directory);
            super.createDirectory(directory);
        }

        @Override
        public void write(String file, long offset, ByteBuffer from) throws IOException {
            before("write " + file);
            super.write(file, offset, from);
        }

        @Override
        public void truncate(String file, long length) throws IOException {
            before("truncate " + file);
            super.truncate(file, length);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            before("rename " + from + " to " + to);
            super.rename(from, to);
        }

        @Override
        public void delete(String file) throws IOException {
            before("delete " + file);
            super.delete(file);
        }

        @Override
        public void sync(String file) throws IOException {
            before("sync " + file);
            super.sync(file);
        }

        @Override
        public void syncDirectory(String directory) throws IOException {
            before("sync directory " + directory);
            super.syncDirectory(directory);
        }

        @Override
        public void syncAll(List<String> files) throws IOException {
            before("sync " + files);
            super.syncAll(files);
        }
    }

    /** The volume's own disk. */
    private final class Device extends OneMachine {
        Device(VolumeIo own) {
            super(own, journal);
        }

        @Override
        void before(String what) throws IOException {
            super.before(what);
            noteMutation(what);
        }
    }
}
