package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.datanode.store.ring.StagedRoles.Wanted;
import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Has the threads of one volume drain what is staged, two pieces at once among the requests, and do what its roles need
 * of the disk. For one thread, that of {@code owner}.
 */
public final class DrainRunner {
    private static final int PIECES_AT_ONCE = 2;

    private final StagedVolumeIo io;
    private final VolumeQueue queue;
    private final Function<String, Optional<ChunkId>> chunkOf;
    private final OnDisk onDisk;
    private final Executor owner;
    private final Clock clock;
    private int pieces;
    private boolean working;
    private Optional<CompletableFuture<Void>> earlier = Optional.empty();

    /** Runs work on the disk so that its errors count as the volume's. */
    public interface OnDisk {
        void run(String what, StagedRoles.Work work) throws EcfsException;
    }

    /**
     * @param chunkOf the chunk of a file, whose requests a piece must not overtake
     * @param owner runs tasks on the thread that calls {@link #go}
     */
    public DrainRunner(
            StagedVolumeIo io,
            VolumeQueue queue,
            Function<String, Optional<ChunkId>> chunkOf,
            OnDisk onDisk,
            Executor owner,
            Clock clock) {
        this.io = io;
        this.queue = queue;
        this.chunkOf = chunkOf;
        this.onDisk = onDisk;
        this.owner = owner;
        this.clock = clock;
    }

    /** Goes on towards what is wanted; called at short intervals. */
    public void go(Wanted wanted, Duration rotation) {
        if (!working) {
            VolumeRole before = io.roles().role();
            Optional<StagedRoles.Work> work = io.roles()
                    .advance(
                            wanted,
                            rotation,
                            earlier.filter(CompletableFuture::isDone).isPresent());
            if (before != VolumeRole.DRAINING_READS && io.roles().role() == VolumeRole.DRAINING_READS) {
                // Requests that came before have begun when it is this one's turn.
                earlier = Optional.of(queue.submit(() -> null));
            }
            work.ifPresent(this::work);
        }
        drain();
    }

    /** As {@link #go} while it is not known what is wanted: the role stays. */
    public void goOn() {
        drain();
    }

    private void work(StagedRoles.Work work) {
        working = true;
        queue.submit(() -> {
                    onDisk.run("turn", work);
                    return null;
                })
                .whenComplete((done, failure) -> owner.execute(() -> working = false));
    }

    private void drain() {
        while (pieces < PIECES_AT_ONCE) {
            boolean spill = !io.roles().drains();
            if (spill && (pieces > 0 || !io.takeSpill())) {
                return;
            }
            Optional<Drain.Piece> piece = io.drain().next(spill);
            if (piece.isEmpty()) {
                return;
            }
            submit(piece.get());
        }
    }

    private void submit(Drain.Piece piece) {
        pieces++;
        Once once = new Once(piece);
        Optional<ChunkId> chunk = piece.path().flatMap(chunkOf);
        CompletableFuture<Boolean> result =
                chunk.isPresent() ? queue.submit(chunk.get(), once) : queue.submit((Callable<Boolean>) once);
        result.whenComplete((more, failure) -> owner.execute(() -> {
            pieces--;
            if (!once.begun) {
                piece.giveBack();
            }
            if (failure == null) { // otherwise at the next interval
                drain();
            }
        }));
    }

    /** Runs a piece, unless the queue refuses it. */
    private final class Once implements Callable<Boolean> {
        private final Drain.Piece piece;
        private volatile boolean begun;

        Once(Drain.Piece piece) {
            this.piece = piece;
        }

        @Override
        public Boolean call() throws EcfsException {
            begun = true;
            long from = clock.nanos();
            onDisk.run("drain", () -> io.drained(piece.run(), clock.nanos() - from));
            return true;
        }
    }
}
