package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.namenode.command.Applied;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.log.ReplicatedState;
import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.Overlay;
import io.ecfs.namenode.store.StoreFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namenode's facts: applies log entries to a store. One transaction an entry, which also carries the entry's position; one
 * savepoint a command, dropped when the command is refused.
 *
 * <p>A command that breaks a rule of ours (a bug) must not stop every namenode at the same entry for ever (Alluxio #10925): its
 * savepoint is dropped, it is refused with {@code INTERNAL} on every namenode alike, and the log says so at ERROR. A failure of the
 * store is another matter: nothing more is applied until a restart, since this namenode alone would lack the entry.
 */
public final class MetadataState implements ReplicatedState {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataState.class);

    private final KeyValueStore store;
    private final CommandCodec codec = new CommandCodec();
    private volatile Position applied;
    private volatile RuntimeException failed;
    private volatile GroupChanges.Listener listener = new GroupChanges.NoListener();

    /** @param store is closed by whoever made it, after this state is no longer used */
    public MetadataState(KeyValueStore store) {
        this.store = store;
        this.applied = readPosition();
    }

    /** From now on this listener, and no other, receives what entries change. A view that is opened later has what went before. */
    public void listen(GroupChanges.Listener listener) {
        this.listener = listener;
    }

    @Override
    public List<byte[]> apply(Position position, List<byte[]> commands) {
        checkNext(position);
        List<byte[]> answers = new ArrayList<>(commands.size());
        GroupChanges changes;
        try (ChangeRecorder transaction = new ChangeRecorder(store.begin())) {
            for (byte[] command : commands) {
                answers.add(applyOne(transaction, position, command));
            }
            AppliedPosition.put(transaction, position);
            transaction.commit();
            changes = transaction.changes();
        } catch (StoreFailure e) {
            throw stop(position, e);
        }
        applied = position;
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
        return applied;
    }

    @Override
    public Position checkpoint(Path directory) {
        // The log's thread applies and checkpoints: the position cannot move in between.
        store.checkpoint(directory);
        return applied;
    }

    @Override
    public void install(Path directory) {
        store.install(directory);
        applied = readPosition();
        failed = null;
        listener.replaced();
    }

    @Override
    public long stateHash() {
        try (View view = store.view()) {
            return StateHash.of(view);
        }
    }

    /** All facts as they are now. Close it. */
    public MetadataView view() {
        return new MetadataView(store.view(), codec);
    }

    private byte[] applyOne(Transaction transaction, Position position, byte[] bytes) {
        try {
            Command command = codec.command(bytes);
            Optional<byte[]> remembered = remembered(transaction, command);
            if (remembered.isPresent()) {
                return remembered.get();
            } else if (command instanceof Command.Call call) {
                RetryCache.admit(transaction, call.mutation());
            }
            return applyNew(transaction, command);
        } catch (EcfsException e) {
            return refuse(e.code(), e.getMessage());
        } catch (StoreFailure e) {
            throw e;
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

    private byte[] applyNew(Transaction transaction, Command command) {
        try (Overlay savepoint = Overlay.savepoint(transaction)) {
            byte[] answer = codec.encode(CommandRules.apply(savepoint, command));
            if (command instanceof Command.Call call) {
                RetryCache.remember(savepoint, call.mutation().request(), answer, call.nowMillis());
            }
            savepoint.commit();
            return answer;
        } catch (EcfsException e) {
            byte[] refusal = refuse(e.code(), e.getMessage());
            if (command instanceof Command.Call call && !e.code().retryable()) {
                RetryCache.remember(transaction, call.mutation().request(), refusal, call.nowMillis());
            }
            return refusal;
        }
    }

    private static Optional<byte[]> remembered(Transaction transaction, Command command) {
        return command instanceof Command.Call call
                ? Optional.ofNullable(
                        RetryCache.find(transaction, call.mutation().request()))
                : Optional.empty();
    }

    private byte[] refuse(ErrorCode code, String message) {
        return codec.encode(new Applied.Refused(code, message));
    }

    private void checkNext(Position position) {
        if (failed != null) {
            throw failed;
        }
        Invariant.check(
                position.index() > applied.index() && position.term() >= applied.term(),
                "entry %s comes after entry %s",
                position,
                applied);
    }

    private RuntimeException stop(Position position, StoreFailure e) {
        failed = new StoreFailure(
                "entry " + position.index() + " was not applied and nothing after it will be: " + e.getMessage()
                        + "; free or replace the disk of the namenode's directory and start it again",
                e);
        return failed;
    }

    private Position readPosition() {
        try (View view = store.view()) {
            return AppliedPosition.of(view);
        }
    }
}
