package io.ecfs.namenode.log.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.Invariant;
import io.ecfs.namenode.log.ReplicatedState;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.log.ratis.checkpoint.Checkpoints;
import io.ecfs.namenode.log.ratis.checkpoint.Checkpoints.Checkpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adapter between Ratis and the {@link ReplicatedState}. Ratis calls it from its updater thread for every committed
 * entry, in order.
 *
 * <p>What Ratis calls the latest snapshot is here the state itself: it is durable with its position, so a restart
 * replays exactly what is missing. Checkpoints are made by this class after every {@code every} entries; Ratis's own
 * snapshot trigger stays off, because it would purge the log by its own rule.
 *
 * <p>A checkpoint of the leader is installed before Ratis gets its position, under the same lock that applying takes: a
 * crash in between leaves a state that is ahead of its log, which Ratis mends at start, and never a log that is ahead
 * of its state. Entries that Ratis still passes and that the installed checkpoint includes are skipped.
 *
 * <p>An exception of the state is a bug or a broken disk: this namenode stops with an ERROR; the others go on.
 */
final class StateAdapter extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(StateAdapter.class);

    /** Events for the log. Called from Ratis's threads; must be quick. */
    interface Events {
        /** The role, the term or the leader may have changed. */
        void roleMayHaveChanged();

        /** This namenode leads {@code term} and has applied everything committed before. */
        void ready(long term);

        /** A checkpoint lies on disk: the log behind it may be purged. */
        void checkpointed(Position position);

        /** Ratis no longer runs here. */
        void shutDown();

        /** This namenode cannot go on. */
        void failed(Throwable cause);
    }

    /** Fetches the leader's checkpoint into a directory. */
    interface Fetcher {
        /** @return completes with the position it holds, at least {@code least} */
        CompletableFuture<Position> fetch(Path target, long least);
    }

    private final String id;
    private final ReplicatedState state;
    private final Checkpoints checkpoints;
    private final long every;
    private final Path download;
    private final Fetcher fetcher;
    private final LongSupplier lastInLog;
    private final Events events;
    /** Lock for changing or copying the state. Never taken while {@link Events} or {@link Fetcher} are called. */
    private final Object changing = new Object();

    private volatile Position applied;
    private volatile Throwable failure;
    /** Term of the newest configuration entry. */
    private volatile long configuredTerm = -1;

    @GuardedBy("changing")
    private long nextCheckpoint;
    /** After a failed checkpoint: no other one before this entry. */
    @GuardedBy("changing")
    private long retryCheckpoint;

    /** @param lastInLog index of the last entry of this namenode's log, on its disk or not */
    StateAdapter(
            String id,
            ReplicatedState state,
            Checkpoints checkpoints,
            long every,
            Path download,
            Fetcher fetcher,
            LongSupplier lastInLog,
            Events events) {
        this.id = id;
        this.state = state;
        this.checkpoints = checkpoints;
        this.every = every;
        this.download = download;
        this.fetcher = fetcher;
        this.lastInLog = lastInLog;
        this.events = events;
        this.applied = state.applied();
        this.nextCheckpoint =
                checkpoints.newest().map(c -> c.position().index()).orElse(-1L) + every;
    }

    Position applied() {
        return applied;
    }

    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    // Life

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage) throws IOException {
        getLifeCycle().startAndTransition(() -> super.initialize(server, group, storage));
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** Nothing to do: the checkpoint was installed when it arrived. */
    @Override
    public void reinitialize() throws IOException {
        getLifeCycle().startAndTransition(() -> LOG.info("event=log_reloaded namenode={} applied={}", id, applied));
    }

    // Applying

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        Position position = new Position(entry.getTerm(), entry.getIndex());
        try {
            List<byte[]> answers;
            synchronized (changing) {
                answers = isNext(position) ? apply(position, entry) : List.of();
            }
            checkpointWhenDue();
            return CompletableFuture.completedFuture(
                    Message.valueOf(UnsafeByteOperations.unsafeWrap(EntryFormat.encode(answers))));
        } catch (RuntimeException | Error e) {
            throw failed(e, "applying log entry " + position);
        }
    }

    private List<byte[]> apply(Position position, LogEntryProto entry) {
        ByteString data = entry.getStateMachineLogEntry().getLogData();
        List<byte[]> commands = EntryFormat.decode(data.asReadOnlyByteBuffer());
        List<byte[]> answers = state.apply(position, commands);
        Invariant.check(
                answers.size() == commands.size(),
                "%s commands of log entry %s got %s answers",
                commands.size(),
                position,
                answers.size());
        applied = position;
        return answers;
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        Position position = new Position(term, index);
        try {
            synchronized (changing) {
                if (isNext(position)) {
                    state.skip(position);
                    applied = position;
                }
            }
        } catch (RuntimeException | Error e) {
            throw failed(e, "passing by log entry " + position);
        }
    }

    private boolean isNext(Position position) {
        if (failure != null) {
            throw new IllegalStateException("the state failed before log entry " + position, failure);
        }
        if (position.index() <= applied.index()) {
            Invariant.check(
                    position.index() < applied.index() || position.term() == applied.term(),
                    "log entry %s has the index of %s, which is applied: the log and the state are not of one history",
                    position,
                    applied);
            return false;
        }
        Invariant.check(
                position.index() == applied.index() + 1,
                "log entry %s follows %s: entries between them are missing",
                position,
                applied);
        return true;
    }

    @Override
    public TermIndex getLastAppliedTermIndex() {
        return termIndex(applied);
    }

    @Override
    public SnapshotInfo getLatestSnapshot() {
        Position now = applied;
        return now.index() < 0 ? null : new StateAsSnapshot(termIndex(now));
    }

    // Checkpoints

    /** A failed checkpoint costs disk, not correctness: it is an ERROR for the operator, and is tried again. */
    private void checkpointWhenDue() {
        Checkpoint made;
        synchronized (changing) {
            boolean due = applied.index() >= nextCheckpoint || state.wantsCheckpoint();
            if (!due || applied.index() < retryCheckpoint) {
                return;
            }
            try {
                made = checkpoint();
            } catch (IOException | RuntimeException e) {
                retryCheckpoint = applied.index() + Math.max(1, every / 10);
                LOG.error(
                        "event=checkpoint_failed namenode={} applied={}"
                                + " action=the_log_grows_until_a_checkpoint_succeeds",
                        id,
                        applied,
                        e);
                return;
            }
        }
        events.checkpointed(made.position());
    }

    @GuardedBy("changing")
    private Checkpoint checkpoint() throws IOException {
        Checkpoint made = checkpoints.create(applied, state::checkpoint);
        nextCheckpoint = made.position().index() + every;
        LOG.info(
                "event=checkpoint namenode={} term={} index={}",
                id,
                made.position().term(),
                made.position().index());
        return made;
    }

    /**
     * Pins the newest checkpoint for a download; makes one first when there is none from which the log of this namenode
     * goes on. A namenode that lost its disk is sent here also while the log still has all entries, of a cluster that
     * is too young for a checkpoint.
     * @param logStart first entry that the log still has
     * @param fresh makes one of the state as it is now in any case
     */
    Optional<Checkpoint> openCheckpoint(long logStart, boolean fresh) throws IOException {
        synchronized (changing) {
            long newest = checkpoints.newest().map(c -> c.position().index()).orElse(-1L);
            if ((fresh || newest < Math.max(0, logStart - 1)) && failure == null && applied.index() >= 0) {
                checkpoint();
            }
            return checkpoints.pin();
        }
    }

    /** Only an operator's request comes here. The log is not purged, which {@link LogRetention} decides. */
    @Override
    public long takeSnapshot() throws IOException {
        synchronized (changing) {
            if (applied.index() >= 0) {
                checkpoint();
            }
        }
        return RaftLog.INVALID_LOG_INDEX;
    }

    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(RoleInfoProto role, TermIndex firstInLog) {
        LOG.info(
                "event=checkpoint_needed namenode={} applied={} leader={} least={}",
                id,
                applied,
                role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8(),
                firstInLog.getIndex() - 1);
        return fetcher.fetch(download, firstInLog.getIndex() - 1).thenApply(position -> answer(install(position)));
    }

    /**
     * Answer to Ratis about an installed checkpoint; null, which is "none was needed", when the log reaches further
     * than the state. Ratis empties its queue of log writes for a checkpoint and counts the entries from there on;
     * entries behind the checkpoint that waited in that queue would be missing in the log, and the next one would stop
     * it.
     */
    private TermIndex answer(Position installed) {
        if (lastInLog.getAsLong() <= installed.index()) {
            return termIndex(installed);
        }
        LOG.info(
                "event=checkpoint_overtaken namenode={} applied={} last_in_log={}",
                id,
                installed,
                lastInLog.getAsLong());
        return null;
    }

    /** @return the present position of the state: at the checkpoint, or further when it got there by itself */
    private Position install(Position fetched) {
        try {
            synchronized (changing) {
                if (failure != null) {
                    throw new IllegalStateException("the state failed before the checkpoint arrived", failure);
                }
                if (fetched.index() > applied.index()) {
                    Invariant.check(
                            fetched.term() >= applied.term(),
                            "a checkpoint of %s does not follow entry %s, which is applied",
                            fetched,
                            applied);
                    state.install(download);
                    applied = state.applied();
                    Invariant.check(
                            applied.index() == fetched.index(),
                            "installed a checkpoint of %s, the state says %s",
                            fetched,
                            applied);
                    LOG.info(
                            "event=checkpoint_installed namenode={} term={} index={}",
                            id,
                            applied.term(),
                            applied.index());
                }
                DirectoryTree.delete(download);
                checkpoint();
                return applied;
            }
        } catch (IOException e) {
            // The state is installed; only the copy for others, or the cleanup, failed. Tried again when due.
            LOG.error("event=checkpoint_failed namenode={} applied={}", id, applied, e);
            return applied;
        } catch (RuntimeException | Error e) {
            throw failed(e, "installing a checkpoint of " + fetched);
        }
    }

    // Events

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        events.roleMayHaveChanged();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        events.roleMayHaveChanged();
    }

    /** Called on the updater thread while the first entry of the leader's term is applied, after all before it. */
    @Override
    public void notifyLeaderReady() {
        events.ready(configuredTerm);
    }

    /** Ratis calls this for the first entry of a leader's term just before {@link #notifyLeaderReady}. */
    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        configuredTerm = term;
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto entry) {
        failed(cause, "writing the log to disk");
    }

    /** Ratis closed itself: after an exception, or because the log asked for it. */
    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServers) {
        events.shutDown();
    }

    private RuntimeException failed(Throwable cause, String doing) {
        if (failure == null) {
            failure = cause;
            if (cause instanceof StateStopped stopped) {
                LOG.error(
                        "event=metadata_state_stopped namenode={} applied={} action=this_namenode_stops reason=\"{}\"",
                        id,
                        applied.index(),
                        stopped.getMessage());
            } else {
                LOG.error(
                        "event=metadata_state_failed namenode={} doing=\"{}\" applied={} action=this_namenode_stops",
                        id,
                        doing,
                        applied,
                        cause);
            }
            events.failed(cause);
        }
        return new IllegalStateException("namenode " + id + " failed " + doing, cause);
    }

    private static TermIndex termIndex(Position position) {
        return position.index() < 0
                ? TermIndex.valueOf(0, RaftLog.INVALID_LOG_INDEX)
                : TermIndex.valueOf(position.term(), position.index());
    }

    private record StateAsSnapshot(TermIndex termIndex) implements SnapshotInfo {
        @Override
        public TermIndex getTermIndex() {
            return termIndex;
        }

        @Override
        public List<FileInfo> getFiles() {
            return List.of();
        }
    }
}
