package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.ComparableFacts;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.cluster.LogRow;
import io.ecfs.namenode.cluster.Rings;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.group.Stamps;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.row.LaterRelease;
import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.KeyValueStore.Savepoint;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.StoreFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Facts of the namenode: applies log entries to a store. One transaction an entry, which also carries the entry's
 * position; one savepoint a command, dropped when the command is rejected.
 *
 * <p>A command that breaks one of our rules (a bug) must not stop every namenode at the same entry for ever (Alluxio
 * #10925): its savepoint is dropped, it is rejected with {@code INTERNAL} on every namenode alike, and an ERROR is
 * logged. A failure of the store is another matter, as are an entry that this release cannot read and facts that differ
 * from the majority's ({@link StateStopped}): nothing more is applied until a restart, since this namenode alone would
 * lack the entry.
 *
 * <p>The hash of all rows is carried on from entry to entry, see {@link StateHash}.
 */
public final class MetadataState implements ReplicatedState {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataState.class);

    /** Most elections that may have been won between a backup and its restore; fences leave terms 31 bits. */
    private static final long TERMS_AHEAD = 1 << 18;
    /** More files than were made since any backup. */
    private static final long NUMBERS_AHEAD = 1L << 40;
    /** Terms of restored logs begin at the seconds since then, which no cluster's elections catch up with. */
    private static final Instant FIRST_SECOND = Instant.parse("2020-01-01T00:00:00Z");
    /** A clock that is wrong uses half of the terms up at most. */
    private static final long MOST_SECONDS = 1 << 30;

    private final KeyValueStore store;
    private final CommandCodec codec;
    private final HashTrail trail = new HashTrail();
    private volatile AppliedPosition applied;
    /** Once the cluster is formatted; it never changes then. */
    private volatile Optional<ClusterIdentity> identity = Optional.empty();

    private volatile int levelInForce;
    private volatile boolean comparable;
    private volatile boolean wantsCheckpoint;
    private volatile RuntimeException failed;
    private volatile GroupChanges.Listener listener = new GroupChanges.NoListener();

    /** @param store that the caller closes, after this state is no longer used */
    public MetadataState(KeyValueStore store) {
        this(store, new CommandCodec());
    }

    /**
     * @param codec of this release
     * @throws StateStopped when the facts are of a later release
     */
    public MetadataState(KeyValueStore store, CommandCodec codec) {
        CommandRules.requireAllHandled();
        this.store = store;
        this.codec = codec;
        load();
    }

    /**
     * Sets the one listener that receives what entries change. A view that is opened later includes what went before.
     */
    public void listen(GroupChanges.Listener listener) {
        this.listener = listener;
    }

    @Override
    public List<byte[]> apply(Position position, List<byte[]> entry) {
        checkNext(position);
        List<Command> commands = new ArrayList<>(entry.size());
        for (byte[] bytes : entry) {
            commands.add(decode(position, bytes));
        }
        commands.forEach(command -> compare(position, command));
        List<byte[]> answers = new ArrayList<>(entry.size());
        AppliedPosition next;
        int level;
        boolean comparableFacts;
        Optional<ClusterIdentity> formatted;
        GroupChanges changes;
        try (Transaction transaction = store.begin()) {
            for (int i = 0; i < commands.size(); i++) {
                answers.add(applyOne(transaction, position, commands.get(i), entry.get(i)));
            }
            GroupChanges.Collector collector = new GroupChanges.Collector();
            next = new AppliedPosition(position, applied.hash() + StateHash.change(transaction, collector));
            level = LevelInForce.of(transaction);
            comparableFacts = ComparableFacts.of(transaction);
            formatted = identity.isPresent() ? identity : ClusterIdentity.find(transaction);
            next.put(transaction);
            transaction.commit();
            changes = collector.changes();
        } catch (StoreFailure e) {
            throw stop(position, e);
        }
        wantsCheckpoint |= level > levelInForce;
        levelInForce = level;
        comparable = comparableFacts;
        identity = formatted;
        applied = next;
        trail.put(position.index(), next.hash());
        if (!changes.isEmpty()) {
            listener.changed(changes);
        }
        return answers;
    }

    @Override
    public void skip(Position position) {
        apply(position, List.of());
    }

    @Override
    public Position applied() {
        return applied.position();
    }

    @Override
    public Position checkpoint(Path directory) {
        // The log's thread applies and checkpoints: the position cannot move in between.
        store.checkpoint(directory);
        wantsCheckpoint = false;
        return applied.position();
    }

    @Override
    public boolean wantsCheckpoint() {
        return wantsCheckpoint;
    }

    @Override
    public void install(Path directory) {
        store.install(directory);
        trail.clear();
        load();
        failed = null;
        wantsCheckpoint = false;
        listener.replaced();
    }

    /** Of all rows, one by one. */
    @Override
    public long stateHash() {
        try (View view = store.view()) {
            return StateHash.of(view);
        }
    }

    /**
     * Compares all rows with the hash that was carried on with them; takes as long as there are rows.
     *
     * @throws EcfsException {@code MALFORMED} when they differ
     */
    public void requireSound() throws EcfsException {
        if (stateHash() != applied.hash()) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    "the rows of the state are not those that it had after log entry "
                            + applied().index() + ": their hash is another");
        }
    }

    /**
     * Turns restored facts into the beginning of a new log, in one commit: its identity, the next epoch of group
     * numbers, and a term above all that the lost log may have reached, and logs that earlier restores of the same
     * facts began, since what datanodes store (fences, orders of the highest term) depends on terms that grow. Not for
     * use once a log applies entries.
     * @param now the time of day: a later restore begins above an earlier one, whichever backups the two are of
     * @return the epoch
     */
    public int beginAnew(LogIdentity log, Instant now) {
        long seconds = Math.min(Duration.between(FIRST_SECOND, now).toSeconds(), MOST_SECONDS);
        Position begins = new Position(
                Math.max(applied().term() + TERMS_AHEAD, seconds), applied().index());
        try (Transaction transaction = store.begin()) {
            int epoch = Stamps.beginEpoch(transaction);
            // Clients that outlive the restore name files by numbers that the lost log gave out.
            Counter.LAST_INODE.add(transaction, NUMBERS_AHEAD);
            Rings.passEpochs(transaction, NUMBERS_AHEAD);
            LogRow.put(transaction, log.log());
            AppliedPosition next = new AppliedPosition(begins, applied.hash() + StateHash.change(transaction));
            next.put(transaction);
            transaction.commit();
            applied = next;
            trail.clear();
            trail.put(begins.index(), next.hash());
            return epoch;
        }
    }

    /**
     * Hash of the facts after a recent entry, as {@link #stateHash} was then; empty when it is no longer stored. Safe
     * for use by any thread.
     */
    public OptionalLong hashAt(long index) {
        return trail.at(index);
    }

    /** The feature level in force. Safe for use by any thread. */
    public int levelInForce() {
        return levelInForce;
    }

    /** See {@link ComparableFacts}. Safe for use by any thread. */
    public boolean comparable() {
        return comparable;
    }

    /** The codec of this namenode's release. */
    public CommandCodec codec() {
        return codec;
    }

    private void load() {
        try (View view = store.view()) {
            levelInForce = LevelInForce.of(view);
            if (levelInForce > codec.level()) {
                throw new StateStopped(
                        ErrorCode.INCOMPATIBLE_VERSION,
                        "the state of this namenode is at feature level " + levelInForce
                                + ", this release reads up to level " + codec.level() + ": start a release of level "
                                + levelInForce + " or above",
                        null);
            }
            comparable = ComparableFacts.of(view);
            identity = ClusterIdentity.find(view);
            applied = AppliedPosition.of(view);
            trail.put(applied.position().index(), applied.hash());
        }
    }

    /**
     * An entry that cannot be read is never skipped: the others may have read it, and their facts would differ from
     * here on.
     */
    private Command decode(Position position, byte[] bytes) {
        try {
            return codec.command(bytes);
        } catch (EcfsException e) {
            boolean later = e.code() == ErrorCode.INCOMPATIBLE_VERSION;
            throw stop(new StateStopped(
                    later ? ErrorCode.INCOMPATIBLE_VERSION : ErrorCode.MALFORMED,
                    "log entry " + position.index() + " of term " + position.term()
                            + " cannot be read, and nothing after it is applied: "
                            + e.getMessage()
                            + (later
                                    ? ""
                                    : "; where the other namenodes work the log is damaged here: move this namenode's"
                                            + " directory away and start it again, so that it fetches everything from"
                                            + " them"),
                    e));
        }
    }

    private void compare(Position position, Command command) {
        if (!comparable || !(command instanceof Command.CheckState check)) {
            return;
        }
        OptionalLong own = trail.at(check.index());
        if (own.isPresent() && own.getAsLong() != check.hash()) {
            throw stop(new StateStopped(
                    ErrorCode.MALFORMED,
                    String.format(
                            "the facts of this namenode are not those of %s: after log entry %d their hashes are"
                                    + " %016x here and %016x there, so that entry %d and what follows is not applied;"
                                    + " move this namenode's directory away for examination and start it again, so"
                                    + " that it fetches everything from the others",
                            check.namenode(), check.index(), own.getAsLong(), check.hash(), position.index()),
                    null));
        }
    }

    /** All facts as they are now. Close it. */
    public MetadataView view() {
        Optional<ClusterIdentity> known = identity; // read first: a view that is opened later has it
        return new MetadataView(store.view(), codec, known);
    }

    private byte[] applyOne(Transaction transaction, Position position, Command command, byte[] bytes) {
        try {
            requireInForce(transaction, command, bytes);
            if (!(command instanceof Command.Call call)) {
                return applyNew(transaction, command, answer -> {});
            }
            RetryCache cache = RetryCache.of(transaction, call.caller().user(), call.mutation());
            Optional<byte[]> remembered = cache.answer(transaction);
            if (remembered.isPresent()) {
                return remembered.get();
            }
            cache.admit();
            return applyNew(transaction, call, answer -> cache.remember(transaction, answer, call.nowMillis()));
        } catch (EcfsException e) {
            return refuse(e.code(), e.getMessage());
        } catch (StoreFailure e) {
            throw e;
        } catch (LaterRelease e) {
            throw stop(new StateStopped(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "log entry " + position.index() + " of term " + position.term()
                            + " is not applied, and nothing after it: " + e.getMessage()
                            + "; start a later release on this namenode",
                    e));
        } catch (RuntimeException | Invariant.Broken e) {
            LOG.error(
                    "event=command_broken term={} index={} bytes={}",
                    position.term(),
                    position.index(),
                    bytes.length,
                    e);
            return refuse(
                    ErrorCode.INTERNAL,
                    "the namenode met a bug in this command and changed nothing; its log at entry " + position.index()
                            + " has the details");
        }
    }

    /** A leader checks this before it proposes; here it is the same on every namenode that can read the entry. */
    private static void requireInForce(Transaction transaction, Command command, byte[] bytes) throws EcfsException {
        int needed = CommandCodec.levelOf(bytes);
        if (!command.raisesLevel() && needed > LevelInForce.of(transaction)) {
            throw new EcfsException(
                    ErrorCode.UNSUPPORTED,
                    "the command takes feature level " + needed + ", in force is " + LevelInForce.of(transaction)
                            + ": 'ecfs admin finalize-upgrade' raises it");
        }
    }

    /** @param remember stores the answer, or a refusal that stands */
    private byte[] applyNew(Transaction transaction, Command command, Consumer<byte[]> remember) {
        try (Savepoint savepoint = transaction.savepoint()) {
            byte[] answer = codec.encode(CommandRules.apply(transaction, command));
            remember.accept(answer);
            savepoint.release();
            return answer;
        } catch (EcfsException e) {
            byte[] refusal = refuse(e.code(), e.getMessage());
            if (!e.code().retryable()) {
                remember.accept(refusal);
            }
            return refusal;
        }
    }

    private byte[] refuse(ErrorCode code, String message) {
        return codec.encode(new CommandResult.Refused(code, message));
    }

    private void checkNext(Position position) {
        if (failed != null) {
            throw failed;
        }
        Invariant.check(
                position.index() > applied().index()
                        && position.term() >= applied().term(),
                "entry %s comes after entry %s",
                position,
                applied());
    }

    private RuntimeException stop(Position position, StoreFailure e) {
        return stop(new StoreFailure(
                "entry " + position.index() + " was not applied and nothing after it will be: " + e.getMessage()
                        + "; free or replace the disk of the namenode's directory and start it again",
                e));
    }

    private RuntimeException stop(RuntimeException why) {
        failed = why;
        return why;
    }
}
