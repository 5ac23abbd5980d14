package io.ecfs.sim.cluster;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.Conversion;
import io.ecfs.sim.cluster.Expectation.Outcome;
import io.ecfs.sim.cluster.SimSettings.Power;
import io.ecfs.sim.cluster.SimSettings.Twist;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.sim.time.SimulationFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What a simulated client does, and what each answer proves. The ledger holds every outcome that is possible at a
 * moment; an answer that is in contradiction to it is a {@link SimulationFailure}.
 */
public final class SimWorkload {
    /**
     * Refusals that a namenode must not give to the only client that changes a directory, since it asks for nothing
     * impossible.
     */
    private static final Set<ErrorCode> LIES = EnumSet.of(
            ErrorCode.NOT_FOUND,
            ErrorCode.ALREADY_EXISTS,
            ErrorCode.PARENT_NOT_DIRECTORY,
            ErrorCode.IS_A_DIRECTORY,
            ErrorCode.NOT_A_DIRECTORY,
            ErrorCode.NOT_EMPTY,
            ErrorCode.INVALID_ARGUMENT);

    private static final int MOST_APPENDED = 20_000;
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(12);
    /** As long as a few messages take. */
    private static final Duration MOMENT = Duration.ofMillis(20);
    /** As long as it takes until all datanodes have their orders, with a heartbeat or two. */
    private static final Duration TAKING_OVER = Duration.ofSeconds(3);

    /** How often a file is written anew while it is converted. */
    private static final int MOST_TIMES = 5;

    /** How often a conversion is asked for that somebody waits for. */
    private static final int MOST_POLLS = 4;

    private static final Outcome ABSENT = new Outcome.Absent();

    private final Desk desk;
    private final UpdateDeeds updates;

    /**
     * What a deed works with.
     *
     * @param rival another client in the same process, which takes files over where leases end
     */
    record Desk(
            EcfsClient client,
            Optional<EcfsClient> rival,
            Ledger ledger,
            FilePath directory,
            SplittableRandom random,
            World world,
            SimProcess process,
            Runnable flushed) {
        FilePath newPath() {
            return directory.child("f" + ledger.newTag());
        }

        /** Ends after at most {@code longest}, unless the process is gone by then. */
        CompletableFuture<Void> idle(Duration longest) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            process.after(random.nextLong(longest.toNanos()), () -> over.complete(null));
            return over;
        }

        Optional<FilePath> certain() {
            return one(ledger.certain(directory));
        }

        <T> Optional<T> one(List<T> choices) {
            return choices.isEmpty() ? Optional.empty() : Optional.of(choices.get(random.nextInt(choices.size())));
        }
    }

    record Deed(String name, Supplier<CompletableFuture<?>> begin) {}

    SimWorkload(Desk desk) {
        this.desk = desk;
        this.updates = new UpdateDeeds(desk);
    }

    Deed choose() {
        if (updates()) {
            return updates.choose();
        }
        return desk.world().settings().converted() && desk.random().nextInt(4) == 0 ? convertOrRead() : chooseAny();
    }

    private boolean updates() {
        int updating = desk.world().settings().updates();
        return updating > 0 && desk.random().nextInt(100) < updating;
    }

    public UpdateDeeds ofUpdates() {
        return updates;
    }

    /** What tells most where files move to other groups. */
    private Deed convertOrRead() {
        Optional<FilePath> own = desk.certain();
        Optional<FilePath> any = desk.one(desk.ledger().paths());
        int dice = desk.random().nextInt(4);
        if (dice == 0 && own.isPresent()) {
            return new Deed("write anew while it is converted", () -> writeAnew(own.get(), MOST_TIMES));
        } else if (dice < 2 && any.isPresent()) {
            return new Deed("read slowly", () -> readSlowly(any.get()));
        }
        return new Deed("convert", () -> convert(own.orElse(desk.directory())));
    }

    private Deed chooseAny() {
        int dice = desk.random().nextInt(100);
        Optional<FilePath> own = desk.certain();
        if (dice < 40 || own.isEmpty()) {
            return write();
        } else if (dice < 48) {
            return new Deed("overwrite", () -> write(own.get()));
        } else if (dice < 52) {
            return new Deed("append", () -> append(own.get()));
        } else if (dice < 68) {
            Optional<FilePath> any = desk.one(desk.ledger().paths());
            return new Deed("read", () -> read(any.get()));
        } else if (dice < 76) {
            return new Deed("rename", () -> rename(own.get(), desk.newPath(), false));
        } else if (dice < 80) {
            return new Deed("replace", () -> rename(own.get(), desk.certain().orElseThrow(), true));
        } else if (dice < 88) {
            return new Deed("delete", () -> delete(own.get()));
        } else if (dice < 91) {
            return new Deed("delete nothing", this::deleteNothing);
        } else if (dice < 94) {
            return new Deed("create what is there", () -> createAgain(own.get()));
        }
        return new Deed("recover", this::recover);
    }

    public CompletableFuture<?> write(FilePath path) {
        long tag = desk.ledger().newTag();
        Policy policy = desk.one(desk.world().settings().policies()).orElseThrow();
        boolean sync = sync();
        WritePlan plan = plan(tag, policy);
        desk.ledger().put(path, desk.ledger().at(path).or(Outcome.Written.open(tag, 0, plan.length())));
        CreateOptions options =
                CreateOptions.defaults().withOverwrite(true).withPolicy(policy).withSync(sync);
        return refusable(desk.client().create(path, options), "create " + path).thenCompose(stream -> {
            desk.ledger().put(path, Expectation.of(Outcome.Written.open(tag, 0, plan.length())));
            return betweenPieces(path).thenCompose(begin -> go(path, stream, plan, 0, 0, sync));
        });
    }

    /**
     * Where namenodes are rolled back, most old chunks are as long as those of the new groups that get their numbers.
     */
    private WritePlan plan(long tag, Policy policy) {
        boolean alike = desk.world().settings().twist() == Twist.ROLLED_BACK
                && desk.random().nextInt(4) > 0;
        return alike ? WritePlan.oneStripe(tag, policy) : WritePlan.choose(tag, policy, desk.random());
    }

    /**
     * Writes one piece after the other, each acknowledged, and closes; sometimes only after a pause in which machines
     * may lose power and come back.
     *
     * @param least bytes that are proven so far
     * @param syncAtClose whether the close proves the whole file
     */
    private CompletableFuture<?> go(
            FilePath path, EcfsOutputStream stream, WritePlan plan, int piece, int least, boolean syncAtClose) {
        try {
            stream.write(plan.bytes(piece));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        boolean last = piece == plan.pieces() - 1;
        boolean sync = last ? syncAtClose : sync(piece);
        CompletableFuture<Void> acknowledged = last ? stream.closeLater() : stream.acknowledgeLater(sync);
        int proven = proves(sync) ? plan.end(piece) : least;
        acknowledged.whenComplete((done, failure) -> {
            if (failure != null) {
                stream.closeLater(); // as everybody closes a stream that failed
            }
        });
        return acknowledged.thenCompose(done -> {
            desk.ledger().put(path, Expectation.of(new Outcome.Written(plan.tag(), proven, plan.length(), last)));
            if (!last) {
                desk.flushed().run();
            }
            return last
                    ? CompletableFuture.completedFuture(null)
                    : pause().thenCompose(rested -> betweenPieces(path))
                            .thenCompose(on -> go(path, stream, plan, piece + 1, proven, syncAtClose));
        });
    }

    /** Mostly synced where nothing else proves anything. */
    private boolean sync() {
        return switch (desk.world().settings().power()) {
            case ALL_SYNCED -> true;
            case LOST_BY_ALL -> desk.random().nextInt(3) < 2;
            case KEPT, LOST_BY_ONE -> desk.random().nextInt(3) < 1;
        };
    }

    /**
     * Where power goes between flushes, the first and every second one is an hsync: chunks with some bytes on disk lose
     * others.
     */
    private boolean sync(int piece) {
        return desk.world().settings().twist() == Twist.LOST_BETWEEN_FLUSHES ? piece % 2 == 0 : sync();
    }

    private boolean proves(boolean sync) {
        return sync || !desk.world().settings().onlySyncedStays();
    }

    /**
     * Where leases end, a rival may begin to take the file over, or the lease end meanwhile; the writer gets no notice.
     */
    private CompletableFuture<Void> betweenPieces(FilePath path) {
        if (desk.rival().isEmpty() || desk.random().nextBoolean()) {
            return CompletableFuture.completedFuture(null);
        }
        if (desk.random().nextInt(3) == 0) {
            return desk.idle(LONGEST_IDLE);
        }
        desk.rival().get().recoverLease(path);
        return desk.idle(desk.random().nextBoolean() ? MOMENT : TAKING_OVER);
    }

    /** None, or one that a machine may need to come back. */
    private CompletableFuture<Void> pause() {
        Power power = desk.world().settings().power();
        boolean always = desk.world().settings().twist() == Twist.LOST_BETWEEN_FLUSHES;
        boolean idle = always
                || ((power == Power.LOST_BY_ONE || power == Power.LOST_BY_ALL)
                        && desk.random().nextInt(2) == 0);
        return idle ? desk.idle(LONGEST_IDLE) : CompletableFuture.completedFuture(null);
    }

    /** Goes on behind what is there, in one piece. */
    private CompletableFuture<?> append(FilePath path) {
        Outcome.Written file = desk.ledger().at(path).certain().orElseThrow();
        int end = file.least() + 1 + desk.random().nextInt(MOST_APPENDED);
        desk.ledger().put(path, Expectation.of(Outcome.Written.open(file.tag(), file.least(), end)));
        return append(path, file.tag(), file.least(), end);
    }

    /** @param least bytes that it has, and that are proven */
    private CompletableFuture<?> append(FilePath path, long tag, int least, int end) {
        boolean sync = sync();
        int proven = proves(sync) ? end : least;
        return refusable(desk.client().append(path, sync), "append to " + path).thenCompose(stream -> {
            try {
                stream.write(Contents.of(tag, least, end));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
            return stream.acknowledgeLater(sync)
                    .thenCompose(done -> {
                        desk.ledger().put(path, Expectation.of(Outcome.Written.open(tag, proven, end)));
                        return stream.closeLater();
                    })
                    .thenRun(() -> desk.ledger().put(path, Expectation.of(new Outcome.Written(tag, proven, end, true))))
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            stream.closeLater(); // as everybody closes a stream that failed
                        }
                    });
        });
    }

    Deed write() {
        return new Deed("write", () -> write(desk.newPath()));
    }

    /** One that writes, of a client that vanishes in it. */
    Deed last() {
        return updates() ? updates.update() : write();
    }

    private CompletableFuture<?> rename(FilePath from, FilePath to, boolean overwrite) {
        if (from.equals(to)) {
            return CompletableFuture.completedFuture(null);
        }
        Outcome.Written file = desk.ledger().at(from).certain().orElseThrow();
        desk.ledger().put(from, desk.ledger().at(from).or(ABSENT));
        desk.ledger().put(to, desk.ledger().at(to).or(file));
        return refusable(desk.client().rename(from, to, overwrite), "rename " + from + " to " + to)
                .thenAccept(done -> {
                    desk.ledger().put(from, Expectation.absent());
                    desk.ledger().put(to, Expectation.of(file));
                });
    }

    private CompletableFuture<?> delete(FilePath path) {
        desk.ledger().put(path, desk.ledger().at(path).or(ABSENT));
        return refusable(desk.client().delete(path, false), "delete " + path)
                .thenAccept(done -> desk.ledger().put(path, Expectation.absent()));
    }

    /**
     * A refusal that is due, then the same name is used: a late repeat of the refused call must not hit the new file.
     */
    private CompletableFuture<?> deleteNothing() {
        FilePath path = desk.newPath();
        return mustRefuse(desk.client().delete(path, false), ErrorCode.NOT_FOUND, "delete " + path)
                .thenCompose(refused -> refused ? write(path) : CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<?> createAgain(FilePath path) {
        return mustRefuse(
                desk.client().create(path, CreateOptions.defaults()), ErrorCode.ALREADY_EXISTS, "create " + path);
    }

    /** Takes the file of a vanished client from it. */
    private CompletableFuture<?> recover() {
        List<FilePath> uncertain = desk.ledger().paths().stream()
                .filter(path -> !desk.directory().contains(path))
                .filter(path -> desk.world().vanished().contains(path.parent()))
                .filter(path -> desk.ledger().at(path).certain().isEmpty())
                .toList();
        return uncertain.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : desk.client().recoverLease(desk.one(uncertain).orElseThrow());
    }

    private CompletableFuture<?> read(FilePath path) {
        Expectation before = desk.ledger().at(path);
        return read(path, Integer.MAX_VALUE).handle((bytes, failure) -> {
            boolean unchanged =
                    desk.ledger().at(path).equals(before) && !desk.ledger().relic(path);
            if (failure != null) {
                EcfsException e = EcfsException.of(failure);
                boolean lost = e.code() == ErrorCode.NOT_FOUND && !before.mayBeAbsent();
                check(!unchanged || !lost, "%s should be %s: %s", path, before, e.getMessage());
            } else {
                check(
                        !unchanged || before.match(bytes).isPresent(),
                        "%s should be %s, read were %d bytes",
                        path,
                        before,
                        bytes.length);
            }
            return null;
        });
    }

    /**
     * Converts a file, its directory, or all that there is; sometimes only counts. Then sees that it ends, or goes on
     * with other deeds meanwhile.
     */
    private CompletableFuture<?> convert(FilePath file) {
        List<FilePath> tops = List.of(file, desk.directory(), FilePath.ROOT);
        FilePath top = desk.one(tops).orElseThrow();
        Policy policy = desk.one(desk.world().settings().targets()).orElseThrow();
        boolean dryRun = desk.random().nextInt(8) == 0;
        int polls = desk.random().nextInt(MOST_POLLS);
        return desk.client().admin().convert(top, policy, dryRun).thenCompose(job -> follow(job, policy, polls));
    }

    private CompletableFuture<?> follow(long job, Policy policy, int polls) {
        if (polls == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return desk.client().admin().conversions().thenCompose(all -> {
            Optional<Conversion> mine = all.stream()
                    .filter(each -> each.job() == job && each.policy().equals(policy))
                    .findFirst();
            mine.ifPresent(each -> check(
                    each.progress().converted() + each.progress().failed()
                                    <= each.progress().files()
                            && each.progress().bytesDone() >= 0,
                    "a conversion counts wrong: %s",
                    each));
            boolean ended = mine.isEmpty() || mine.get().state().ended();
            return ended
                    ? CompletableFuture.completedFuture(null)
                    : desk.idle(TAKING_OVER).thenCompose(on -> follow(job, policy, polls - 1));
        });
    }

    /** Cuts a file to nothing and writes other bytes to the same places, while the old ones are on their way. */
    private CompletableFuture<?> writeAnew(FilePath path, int times) {
        Policy policy = desk.one(desk.world().settings().targets()).orElseThrow();
        return desk.client()
                .admin()
                .convert(path, policy, false)
                .handle((job, refused) -> null)
                .thenCompose(begun -> desk.idle(MOMENT))
                .thenCompose(on -> writeAnew(path))
                .thenCompose(done -> times > 1 ? writeAnew(path, times - 1) : CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<?> writeAnew(FilePath path) {
        long tag = desk.ledger().newTag();
        int end = 1 + desk.random().nextInt(MOST_APPENDED);
        desk.ledger().put(path, desk.ledger().at(path).or(Outcome.Written.open(tag, 0, end)));
        return refusable(desk.client().truncate(path, 0), "truncate " + path).thenCompose(cut -> {
            desk.ledger().put(path, Expectation.of(Outcome.Written.open(tag, 0, end)));
            return append(path, tag, 0, end);
        });
    }

    /** Opens a file, reads a part, and the rest later: a file that nobody changed is the same, wherever it lies now. */
    private CompletableFuture<?> readSlowly(FilePath path) {
        Expectation before = desk.ledger().at(path);
        return desk.client()
                .open(path)
                .thenCompose(reader -> {
                    int length = (int) reader.length();
                    ByteBuffer bytes = ByteBuffer.allocate(length);
                    int part = length == 0 ? 0 : desk.random().nextInt(length);
                    return reader.readLater(0, bytes.slice(0, part))
                            .thenCompose(read -> desk.idle(LONGEST_IDLE))
                            .thenCompose(rested -> reader.readLater(part, bytes.slice(part, length - part)))
                            .thenApply(read -> bytes.array());
                })
                .handle((bytes, failure) -> {
                    boolean unchanged = desk.ledger().at(path).equals(before)
                            && !desk.ledger().relic(path);
                    if (failure != null) {
                        EcfsException e = EcfsException.of(failure);
                        boolean lie = LIES.contains(e.code()) || e.code() == ErrorCode.FILE_CHANGED;
                        check(
                                !unchanged || before.certain().isEmpty() || !lie,
                                "%s is %s all the time: %s",
                                path,
                                before,
                                e.getMessage());
                    } else {
                        check(
                                !unchanged || before.match(bytes).isPresent(),
                                "%s should be %s, read in two parts were %s bytes %s",
                                path,
                                before,
                                bytes.length,
                                before.describe(bytes));
                    }
                    return null;
                });
    }

    /** The bytes of a file as it is now, at most so many. */
    public CompletableFuture<byte[]> read(FilePath path, int most) {
        return desk.client().open(path).thenCompose(reader -> {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, reader.length()));
            return reader.readLater(0, bytes).thenApply(read -> bytes.array());
        });
    }

    /**
     * Reads these files as one request; what comes of them is what was written.
     *
     * @return one of them that was there all the time and could not be read, and why
     */
    public CompletableFuture<Optional<String>> readTogether(List<FilePath> paths) {
        List<Expectation> before = paths.stream().map(desk.ledger()::at).toList();
        return desk.client()
                .readAll(paths.stream().map(FileRange::whole).toList())
                .thenApply(results -> {
                    Optional<String> failed = Optional.empty();
                    for (int i = 0; i < results.size(); i++) {
                        FilePath path = paths.get(i);
                        boolean unchanged = desk.ledger().at(path).equals(before.get(i));
                        Optional<String> failure =
                                unchanged ? failureOf(path, before.get(i), results.get(i)) : Optional.empty();
                        failed = failure.isPresent() ? failure : failed;
                    }
                    return failed;
                });
    }

    /** Compares what was read of a file with what was written. */
    private Optional<String> failureOf(FilePath path, Expectation expected, RangeResult result) {
        if (result instanceof RangeResult.Failed failure) {
            return Optional.of(path + ": " + failure.failure().getMessage());
        }
        if (result instanceof RangeResult.Read read) {
            byte[] bytes = new byte[read.bytes().limit()];
            read.bytes().get(0, bytes);
            check(
                    expected.match(bytes).isPresent(),
                    "%s should be %s, read together with others were %d bytes",
                    path,
                    expected,
                    bytes.length);
        }
        return Optional.empty();
    }

    private <T> CompletableFuture<T> refusable(CompletableFuture<T> call, String what) {
        return call.whenComplete((done, failure) -> {
            if (failure != null) {
                EcfsException e = EcfsException.of(failure);
                check(!LIES.contains(e.code()), "%s was refused: %s", what, e.getMessage());
            }
        });
    }

    private CompletableFuture<Boolean> mustRefuse(CompletableFuture<?> call, ErrorCode due, String what) {
        return call.handle((done, failure) -> {
            check(failure != null, "%s should be refused with %s", what, due);
            EcfsException e = EcfsException.of(failure);
            check(
                    e.code() == due || e.code().retryable(),
                    "%s was refused for another reason: %s",
                    what,
                    e.getMessage());
            return e.code() == due;
        });
    }

    /** Also within a callback, where a thrown failure would only fail the next future. */
    private void check(boolean holds, String message, Object... ids) {
        if (!holds) {
            desk.world().time().raise(new SimulationFailure(String.format(message, ids)));
        }
    }
}
