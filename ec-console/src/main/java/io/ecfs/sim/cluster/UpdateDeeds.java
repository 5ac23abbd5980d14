package io.ecfs.sim.cluster;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.sim.cluster.SimWorkload.Deed;
import io.ecfs.sim.cluster.SimWorkload.Desk;
import io.ecfs.sim.cluster.UpdatedFile.Update;
import io.ecfs.sim.time.SimulationFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a simulated client does with files that are updated in place, and what each answer proves. A client opens a file
 * that no other has open, compares it with what may be there, and sends several updates at a time; others read
 * meanwhile.
 */
public final class UpdateDeeds {
    private static final int MOST_ROUNDS = 16;
    private static final int MOST_AT_ONCE = 10;
    private static final int MOST_POSITION = 60_000;
    private static final int MOST_BYTES = 7_000;

    /** Several stripes. */
    private static final int MOST_LONG_BYTES = 40_000;

    /** One write in so many is a long one, one update in so many cuts the file. */
    private static final int LONG = 5;

    private static final int CUT = 10;

    /** One write in so many imitates batches. */
    private static final int FORGED = 4;

    /** Of one round in so many it is read on. */
    private static final int READ = 3;

    private static final int MOST_ATTEMPTS = 8;

    private static final Duration LONGEST_IDLE = Duration.ofSeconds(6);
    private static final Duration UNTIL_TAKEN_OVER = Duration.ofSeconds(3);

    private final Desk desk;

    UpdateDeeds(Desk desk) {
        this.desk = desk;
    }

    Deed choose() {
        Optional<UpdatedFile> any = desk.one(
                desk.ledger().updated().stream().filter(file -> !file.relic()).toList());
        if (any.isPresent() && desk.random().nextInt(4) == 0) {
            return new Deed("read what is updated", () -> readSlowly(any.get()));
        }
        return update();
    }

    Deed update() {
        Optional<UpdatedFile> free = desk.one(desk.ledger().updated().stream()
                .filter(file -> file.free(desk.world().vanished()))
                .toList());
        return free.isEmpty() || desk.random().nextInt(4) == 0
                ? new Deed("write and update", this::updateNew)
                : new Deed("update", () -> update(free.get()));
    }

    /** A file that is new, or was written as a whole before. */
    private CompletableFuture<?> updateNew() {
        FilePath path = desk.directory().child("u" + desk.ledger().newTag());
        int bytes = desk.random().nextBoolean() ? 0 : 1 + desk.random().nextInt(MOST_POSITION);
        if (bytes == 0) {
            return update(desk.ledger().newUpdated(path));
        }
        Update.Write whole = Update.Write.of(desk.ledger().newTag(), 0, bytes);
        return desk.client()
                .create(path, CreateOptions.defaults().withSync(true))
                .thenCompose(stream -> {
                    try {
                        stream.write(whole.bytes());
                    } catch (IOException e) {
                        return CompletableFuture.failedFuture(e);
                    }
                    return stream.closeLater();
                })
                .thenCompose(done -> {
                    UpdatedFile file = desk.ledger().newUpdated(path);
                    file.exists();
                    file.settle(whole.bytes());
                    return update(file);
                });
    }

    /** Opens a file, checks it, updates it for a while, and closes it. */
    private CompletableFuture<?> update(UpdatedFile file) {
        file.take(desk.directory());
        boolean synced = desk.random().nextBoolean();
        int rounds = 1 + desk.random().nextInt(MOST_ROUNDS);
        return update(file, synced, rounds).whenComplete((done, failure) -> file.release());
    }

    private CompletableFuture<Void> update(UpdatedFile file, boolean synced, int rounds) {
        return open(file, synced, MOST_ATTEMPTS)
                .thenCompose(open -> settled(file, open)
                        .thenCompose(done -> new Session(file, open, synced).go(rounds))
                        .whenComplete((done, failure) -> {
                            if (failure != null) {
                                open.closeLater(); // as everybody closes a file that failed
                            }
                        }));
    }

    /** Also while another client, which is gone, has it still open. */
    private CompletableFuture<UpdatableFile> open(UpdatedFile file, boolean synced, int attempts) {
        UpdateOptions options = UpdateOptions.defaults().synced(synced).create(file.mayBeAbsent());
        return desk.client().update(file.path(), options).exceptionallyCompose(failure -> {
            EcfsException e = EcfsException.of(failure);
            check(
                    file.relic() || e.code() != ErrorCode.NOT_FOUND || file.mayBeAbsent(),
                    "%s should be there: %s",
                    file.path(),
                    e.getMessage());
            return e.code() == ErrorCode.LEASE_CONFLICT && attempts > 1
                    ? desk.idle(UNTIL_TAKEN_OVER).thenCompose(on -> open(file, synced, attempts - 1))
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /** Compares what the opener and what a reader find with what may be there: from now on it is that. */
    private CompletableFuture<Void> settled(UpdatedFile file, UpdatableFile open) {
        file.exists();
        return read(open).thenCompose(bytes -> {
            verify(file, bytes, file.proven(), "is opened with");
            file.settle(bytes);
            return readAnew(file.path())
                    .thenAccept(others -> check(
                            file.relic() || Arrays.equals(bytes, others),
                            "%s is read with %s bytes that differ at %s from the %s that it was opened with",
                            file.path(),
                            others.length,
                            Arrays.mismatch(others, bytes),
                            bytes.length));
        });
    }

    private static CompletableFuture<byte[]> read(UpdatableFile open) {
        ByteBuffer bytes = ByteBuffer.allocate((int) open.length());
        return open.read(0, bytes).thenApply(read -> bytes.array());
    }

    private CompletableFuture<byte[]> readAnew(FilePath path) {
        return desk.client().open(path).thenCompose(reader -> {
            ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
            return reader.readLater(0, bytes).thenApply(read -> bytes.array());
        });
    }

    /** In the healed world: the file is what it may be, can be opened and updated, and has that then. */
    public CompletableFuture<Void> proveUpdatable(UpdatedFile file) {
        if (file.relic()) {
            return CompletableFuture.completedFuture(null);
        }
        return update(file, true, 1)
                .thenCompose(done -> readAnew(file.path()))
                .thenAccept(bytes -> verify(file, bytes, file.submitted(), "has"));
    }

    /** Opens a file, reads a part, and the rest later, while others may update it. */
    private CompletableFuture<?> readSlowly(UpdatedFile file) {
        boolean absent = file.mayBeAbsent();
        Look before = new Look(file);
        return desk.client()
                .open(file.path())
                .thenCompose(reader -> {
                    before.found((int) reader.length());
                    return inTwoParts(reader);
                })
                .handle((bytes, failure) -> {
                    if (file.relic()) {
                        return CompletableFuture.completedFuture(null);
                    } else if (failure == null) {
                        before.compare(bytes);
                        return CompletableFuture.completedFuture(null);
                    }
                    EcfsException e = EcfsException.of(failure);
                    check(
                            absent || e.code() != ErrorCode.NOT_FOUND,
                            "%s should be there: %s",
                            file.path(),
                            e.getMessage());
                    check(e.code() != ErrorCode.INTERNAL, "%s cannot be read: %s", file.path(), e.getMessage());
                    check(
                            before.mayBeGone() || e.code() != ErrorCode.FILE_CHANGED,
                            "%s has not changed: %s",
                            file.path(),
                            e.getMessage());
                    return CompletableFuture.failedFuture(failure);
                })
                .thenCompose(result -> result);
    }

    private CompletableFuture<byte[]> inTwoParts(FileReader reader) {
        int length = (int) reader.length();
        ByteBuffer bytes = ByteBuffer.allocate(length);
        int part = length == 0 ? 0 : desk.random().nextInt(length);
        CompletableFuture<Void> pause =
                desk.random().nextBoolean() ? CompletableFuture.completedFuture(null) : desk.idle(LONGEST_IDLE);
        return reader.readLater(0, bytes.slice(0, part))
                .thenCompose(read -> pause)
                .thenCompose(rested -> reader.readLater(part, bytes.slice(part, length - part)))
                .thenApply(read -> bytes.array());
    }

    /** What was known of a file when a read began. */
    private final class Look {
        private final UpdatedFile file;
        private final int settled;
        private final int proven;
        private final int submitted;
        private int length;

        Look(UpdatedFile file) {
            this.file = file;
            this.settled = file.settled();
            this.proven = file.proven();
            this.submitted = file.submitted();
        }

        /** The reader is open, and has so many bytes. */
        void found(int bytes) {
            length = bytes;
        }

        private boolean same() {
            return file.settled() == settled && file.submitted() == submitted;
        }

        /**
         * Returns whether a byte that was found may be gone: others have updated since, or the file may be shorter
         * without updates that are not proven, whose writer died or whose datanodes lost power.
         */
        boolean mayBeGone() {
            return !same() || length > file.leastLength();
        }

        /** Nothing is known of what was read while somebody else began to update. */
        void compare(byte[] bytes) {
            if (same()) {
                verify(file, bytes, proven, "is read with");
            } else if (file.settled() == settled) {
                int wrong = file.firstImpossible(bytes, proven);
                check(
                        wrong == -1,
                        "%s, of which %s to %s updates were done, is read with %s bytes that are impossible at %s",
                        file.path(),
                        proven,
                        file.submitted(),
                        bytes.length,
                        wrong);
            }
        }
    }

    /** Of one client with one file, which is read by others meanwhile. */
    private final class Session {
        private final UpdatedFile file;
        private final UpdatableFile open;
        private final boolean synced;
        private CompletableFuture<?> reading = CompletableFuture.completedFuture(null);

        Session(UpdatedFile file, UpdatableFile open, boolean synced) {
            this.file = file;
            this.open = open;
            this.synced = synced;
        }

        /** Sends several updates at a time, waits for them, and closes the file in the end. */
        CompletableFuture<Void> go(int rounds) {
            if (rounds == 0) {
                return open.closeLater()
                        .thenRun(() -> file.prove(file.submitted()))
                        .thenCompose(closed -> reading)
                        .thenApply(read -> null);
            }
            List<CompletableFuture<Void>> all = new ArrayList<>();
            if (desk.random().nextInt(READ) == 0) {
                reading = readSlowly(file).handle((done, failure) -> null);
            }
            for (int left = 1 + desk.random().nextInt(MOST_AT_ONCE); left > 0; left--) {
                all.add(ask(update()));
            }
            if (desk.random().nextInt(3) == 0) {
                int before = file.submitted();
                all.add(open.sync().thenRun(() -> file.prove(before)));
            }
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .thenCompose(done -> {
                        desk.flushed().run();
                        return readOwn();
                    })
                    .thenCompose(read -> pause())
                    .thenCompose(rested -> go(rounds - 1));
        }

        private Update update() {
            int length = file.length();
            if (desk.random().nextInt(CUT) == 0) {
                return new Update.Cut(desk.random().nextInt(length + MOST_BYTES));
            }
            int bytes = 1 + desk.random().nextInt(desk.random().nextInt(LONG) == 0 ? MOST_LONG_BYTES : MOST_BYTES);
            int position = desk.random().nextInt(desk.random().nextBoolean() ? MOST_POSITION : length + 1);
            return desk.random().nextInt(FORGED) == 0
                    ? Update.Write.forging(desk.ledger().newTag(), position, bytes)
                    : Update.Write.of(desk.ledger().newTag(), position, bytes);
        }

        private CompletableFuture<Void> ask(Update update) {
            int number = file.submit(update);
            CompletableFuture<Void> done = update instanceof Update.Cut cut
                    ? open.truncate(cut.length())
                    : open.write(((Update.Write) update).position(), ByteBuffer.wrap(((Update.Write) update).bytes()));
            return done.thenRun(() -> {
                if (synced || !desk.world().settings().onlySyncedStays()) {
                    file.prove(number);
                }
            });
        }

        /** Everything that was asked is acknowledged. */
        private CompletableFuture<Void> readOwn() {
            return desk.random().nextInt(3) > 0
                    ? CompletableFuture.completedFuture(null)
                    : read(open)
                            .thenAccept(bytes -> verify(file, bytes, file.submitted(), "is read by its updater with"));
        }

        private CompletableFuture<Void> pause() {
            return desk.random().nextInt(3) > 0 ? CompletableFuture.completedFuture(null) : desk.idle(LONGEST_IDLE);
        }
    }

    /** @param least updates that must be there */
    private void verify(UpdatedFile file, byte[] bytes, int least, String how) {
        if (!file.relic() && !file.matches(bytes, least)) {
            check(false, "%s %s %s", file.path(), how, file.describe(bytes));
        }
    }

    /** Also within a callback, where a thrown failure would only fail the next future. */
    private void check(boolean holds, String message, Object... ids) {
        if (!holds) {
            desk.world().time().raise(new SimulationFailure(String.format(message, ids)));
        }
    }
}
