package io.ecfs.namenode.command;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.history.HistoryBounds;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One change of the replicated state, as the leader proposed it. Applying it is a function of the state and of these
 * fields alone: a rejected command leaves no trace.
 */
public sealed interface Command {
    /** The leader's clock when it proposed, milliseconds since the epoch. */
    long nowMillis();

    /** Returns whether it puts the feature level that reading it takes in force. */
    default boolean raisesLevel() {
        return this instanceof RaiseLevel || this instanceof Format;
    }

    /**
     * The first command of a cluster: its id, its superuser and the policy of the root. Answered by
     * {@link CommandResult.Formatted}, with the present id when the cluster was formatted before. Everything else is
     * refused until then.
     *
     * @param log identity of the log, a uuid; empty for one that was not formatted, and in logs of releases without
     *     identities
     * @param level feature level in force from then on; empty: the first one, as of clusters of earlier releases
     */
    record Format(
            long nowMillis,
            String clusterId,
            String owner,
            Policy defaultPolicy,
            Optional<String> log,
            Optional<Integer> level)
            implements Command {
        public Format {
            Objects.requireNonNull(level, "level");
            Objects.requireNonNull(log, "log");
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(owner, "owner");
            Objects.requireNonNull(defaultPolicy, "defaultPolicy");
            if (clusterId.isEmpty() || owner.isEmpty()) {
                throw new IllegalArgumentException("a cluster needs an id and an owner");
            }
        }
    }

    /**
     * A client's call with what the leader decided for it. Its answer is remembered under its request id when it
     * succeeds.
     *
     * @param candidates for calls that allocate a group: volumes on distinct datanodes, best first; the first n for
     *     the file's policy are taken. Fewer than min(k+1, n): refused with {@code NO_SPACE}
     * @param expiredHolder the lease holder of the file in question, when the leader knows that its soft limit has
     *     passed
     * @param stamp of a group that it allocates: the leader's, random; empty where none is allocated, and in logs of
     *     the release before stamps
     */
    record Call(
            long nowMillis,
            CallerIdentity caller,
            Mutation mutation,
            List<VolumeId> candidates,
            Optional<String> expiredHolder,
            Optional<Integer> stamp)
            implements Command {
        public Call {
            Objects.requireNonNull(caller, "caller");
            Objects.requireNonNull(mutation, "mutation");
            candidates = List.copyOf(candidates);
            Objects.requireNonNull(expiredHolder, "expiredHolder");
            Objects.requireNonNull(stamp, "stamp");
        }

        /** Without a stamp. */
        public Call(
                long nowMillis,
                CallerIdentity caller,
                Mutation mutation,
                List<VolumeId> candidates,
                Optional<String> expiredHolder) {
            this(nowMillis, caller, mutation, candidates, expiredHolder, Optional.empty());
        }

        /** The same of another caller. */
        public Call by(CallerIdentity other) {
            return new Call(nowMillis, other, mutation, candidates, expiredHolder, stamp);
        }
    }

    /**
     * Takes an open file from its holder, whose hard limit has passed: the holder is rejected and only {@link
     * FinishRecovery} closes the file. Answered by {@link CommandResult.Recovery}.
     * @param holder that the leader found past its limit; rejected when another holds the lease by now
     */
    record BeginRecovery(long nowMillis, InodeId file, String holder) implements Command {
        public BeginRecovery {
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(holder, "holder");
        }
    }

    /**
     * Closes a file in recovery: seals its open group at the recovered length with the chunks that hold it (at least k;
     * none and length 0: the group is dropped). Answered by {@link CommandResult.Status}.
     *
     * @param last empty only when the file has no open group
     */
    record FinishRecovery(long nowMillis, InodeId file, Optional<SealedGroup> last) implements Command {
        public FinishRecovery {
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(last, "last");
        }
    }

    /**
     * A chunk that some volume reports and the facts do not place there may be deleted. Refused when the facts do place
     * it there, when its group's number was never given out, or, while its group lives, without proof that the group
     * does not need it. Answered by {@link CommandResult.Done}.
     *
     * @param proof current chunks of the same group that the leader knows to be live; with a living group at least k+1
     *     or all n
     * @param stamp in the chunk's header, as reported; empty in logs of the release before stamps
     */
    record MarkGarbage(long nowMillis, ChunkOnVolume chunk, List<ChunkId> proof, Optional<Integer> stamp)
            implements Command {
        public MarkGarbage {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(stamp, "stamp");
            proof = List.copyOf(proof);
        }
    }

    /**
     * Drops garbage that datanodes reported as deleted. Unknown chunks are ignored. Answered by {@link
     * CommandResult.Done}.
     */
    record ForgetGarbage(long nowMillis, List<ChunkOnVolume> chunks) implements Command {
        public ForgetGarbage {
            chunks = List.copyOf(chunks);
        }
    }

    /**
     * A finalised chunk came back for an index that a sealed group lacks: it takes its place again. Refused unless
     * generation and group length and stamp are the group's, and its datanode holds no other chunk of the group.
     * Answered by {@link CommandResult.Done}.
     *
     * @param stamp in the chunk's header, as reported; empty in logs of the release before stamps
     */
    record AdoptChunk(long nowMillis, ChunkOnVolume chunk, long groupLength, Optional<Integer> stamp)
            implements Command {
        public AdoptChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(stamp, "stamp");
        }
    }

    /**
     * A chunk of a sealed group is to be rebuilt on another volume: gives it a generation of its own, which fences
     * whatever an earlier attempt at the same index may still bring about. Refused when the target's datanode holds
     * another chunk of the group. Answered by {@link CommandResult.RepairBegun}.
     *
     * @param writer a random number that the chunk on the target carries
     * @param reason for the history; empty in logs of releases without one
     */
    record BeginRepair(
            long nowMillis, GroupId group, int index, VolumeId target, long writer, Optional<RepairReason> reason)
            implements Command {
        public BeginRepair {
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(target, "target");
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** The part of {@link ClusterEvent.RepairPlanned} that its command does not have. */
    record RepairReason(
            IncidentCause cause,
            long detectedMillis,
            long deadMillis,
            long checkedMillis,
            DatanodeId datanode,
            String text) {
        public RepairReason {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(text, "text");
        }
    }

    /**
     * Publishes a chunk that the target reported as rebuilt and verified: it takes its place in the group, and the
     * chunk that it replaces becomes garbage when the proof suffices. Rejected for all but the latest attempt, and when
     * the place has changed since the leader read it. Answered by {@link CommandResult.Done}.
     * @param replaced where the facts place the index until now
     * @param proof current chunks of the group's other indexes that the leader knows to be live
     * @param event for the history; empty in logs of releases without one
     */
    record CommitRepair(
            long nowMillis,
            ChunkOnVolume chunk,
            long groupLength,
            Optional<VolumeId> replaced,
            List<ChunkId> proof,
            Optional<ClusterEvent.RepairCommitted> event)
            implements Command {
        public CommitRepair {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(replaced, "replaced");
            proof = List.copyOf(proof);
            Objects.requireNonNull(event, "event");
        }
    }

    /**
     * Turns deleted files into garbage chunks, a bounded number at a time. Answered by {@link CommandResult.Purged}.
     * @param budget most rows (directory entries and chunks) to touch, at least 1
     * @param upTo number of the last deletion that may be purged: the leader lets younger ones wait; 0: all
     */
    record PurgeStep(long nowMillis, int budget, long upTo) implements Command {
        public static final int MAX_BUDGET = 100_000;

        public PurgeStep {
            if (budget < 1 || budget > MAX_BUDGET) {
                throw new IllegalArgumentException("purge budget must be in [1, " + MAX_BUDGET + "]: " + budget);
            }
            if (upTo < 0) {
                throw new IllegalArgumentException("no deletion has the number " + upTo);
            }
        }

        /** Lets none wait, as in the entries of 6e8d76b. */
        public PurgeStep(long nowMillis, int budget) {
            this(nowMillis, budget, 0);
        }
    }

    /**
     * Binds a datanode's name to its directory and gives numbers to its new volumes. Rejected when the name belongs to
     * another directory, the directory to another name, or a volume to another datanode. Answered by {@link
     * CommandResult.Registered}.
     * @param uuid of the datanode's directory
     * @param volumes uuids of all volumes it has now; volumes registered before remain
     */
    record RegisterDatanode(
            long nowMillis, DatanodeId datanode, String uuid, Address address, String rack, List<String> volumes)
            implements Command {
        public RegisterDatanode {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(address, "address");
            Objects.requireNonNull(rack, "rack");
            volumes = List.copyOf(volumes);
            if (uuid.isEmpty() || volumes.stream().anyMatch(String::isEmpty)) {
                throw new IllegalArgumentException("registration of " + datanode + " with an empty uuid");
            }
        }
    }

    /**
     * Changes a datanode's admin state after what the leader found: nothing is left on it, something was placed on it
     * after all, the time of maintenance is over. Rejected unless the state is still the expected one and the facts
     * agree. Answered by {@link CommandResult.Done}.
     * @param reason for the history
     */
    record ChangeAdminState(
            long nowMillis, DatanodeId datanode, AdminState expected, AdminState.State next, String reason)
            implements Command {
        public ChangeAdminState {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(expected, "expected");
            Objects.requireNonNull(next, "next");
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * Adds a key for block tokens and drops the expired ones. Its id must be above all before it. Answered by
     * {@link CommandResult.Done}.
     */
    record RollKeys(long nowMillis, TokenKey key) implements Command {
        public RollKeys {
            Objects.requireNonNull(key, "key");
        }
    }

    /** Adds to the cluster's history, and sets its bounds. Answered by {@link CommandResult.Done}. */
    record RecordEvents(long nowMillis, HistoryBounds bounds, List<Noted> events) implements Command {
        public static final int MAX_EVENTS = 1000;

        public RecordEvents {
            Objects.requireNonNull(bounds, "bounds");
            events = List.copyOf(events);
            if (events.size() > MAX_EVENTS) {
                throw new IllegalArgumentException(
                        "at most " + MAX_EVENTS + " events in a command, got " + events.size());
            }
        }
    }

    /**
     * The hash of the leader's facts: every namenode that still knows its own at that index compares them, before
     * anything of the entry is applied. Answered by {@link CommandResult.Done}.
     * @param namenode that leads
     * @param index of an entry that it had applied
     * @param hash of its facts after that entry
     */
    record CheckState(long nowMillis, String namenode, long index, long hash) implements Command {
        public CheckState {
            Objects.requireNonNull(namenode, "namenode");
        }
    }

    /**
     * Puts a feature level in force: entries, rows and messages of it may be written. A namenode whose release cannot
     * read them cannot read this command either. Answered by {@link CommandResult.Done}.
     */
    record RaiseLevel(long nowMillis, int level) implements Command {}

    /**
     * Allocates an open group that a datanode is to fill with bytes of others. Refused when an extent is not, or no
     * more, as the leader read it, and when the files do not grant the same rights. Answered by {@link
     * CommandResult.Allocated}.
     *
     * @param pieces in the order in which their bytes lie in the new group
     * @param policy of the new group
     * @param candidates volumes on distinct datanodes; the first n are taken
     * @param stamp of the new group
     */
    record BeginRewrite(long nowMillis, List<RewritePiece> pieces, Policy policy, List<VolumeId> candidates, int stamp)
            implements Command {
        public static final int MAX_PIECES = 4096;

        public BeginRewrite {
            pieces = List.copyOf(pieces);
            Objects.requireNonNull(policy, "policy");
            candidates = List.copyOf(candidates);
            if (pieces.isEmpty() || pieces.size() > MAX_PIECES) {
                throw new IllegalArgumentException(
                        "a rewrite has 1 to " + MAX_PIECES + " extents, got " + pieces.size());
            }
        }
    }

    /**
     * Seals the group of a rewrite and replaces the extents that files still have by those in it; groups without live
     * bytes after that are dropped, the new one too when every file has changed. Answered by {@link
     * CommandResult.Committed} with the files that are over their quota.
     *
     * @param word of the datanode that filled the group
     */
    record CommitRewrite(long nowMillis, SealedGroup word) implements Command {
        public CommitRewrite {
            Objects.requireNonNull(word, "word");
        }
    }

    /** Drops the open group of a rewrite. Answered by {@link CommandResult.Done}. */
    record AbortRewrite(long nowMillis, GroupId group) implements Command {
        public AbortRewrite {
            Objects.requireNonNull(group, "group");
        }
    }

    /**
     * Makes this the policy of a closed file whose bytes, if it has any, all lie in groups of that policy. Answered by
     * {@link CommandResult.Done}.
     */
    record AdoptPolicy(long nowMillis, InodeId file, Policy policy) implements Command {
        public AdoptPolicy {
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(policy, "policy");
        }
    }

    /**
     * Records what the leader has done of a conversion, unless it has ended by now. Answered by {@link
     * CommandResult.Done}.
     *
     * @param end empty: it goes on
     */
    record RecordConversion(
            long nowMillis,
            long job,
            Conversion.Progress progress,
            Optional<String> firstFailure,
            Optional<Conversion.State> end)
            implements Command {
        public RecordConversion {
            Objects.requireNonNull(progress, "progress");
            Objects.requireNonNull(firstFailure, "firstFailure");
            Objects.requireNonNull(end, "end");
        }
    }

    /**
     * Changes a ring after what the leader found: another number of writers by demand, a spare for a volume that
     * failed, volumes that have no chunks left. Rejected unless the ring is in the expected epoch and the facts agree.
     * A ring that is being dropped is gone when it has no groups and none of its volumes has a chunk. Answered by
     * {@link CommandResult.Done}.
     *
     * @param writers empty: as it is
     * @param successions a spare takes the colour of a volume, whose chunks are moved
     * @param emptied volumes that leave and have no chunks left
     * @param reason for the history
     */
    record AdaptRing(
            long nowMillis,
            RingId ring,
            long epoch,
            Optional<Integer> writers,
            List<Succession> successions,
            List<VolumeId> emptied,
            String reason)
            implements Command {
        /** @param spare that takes the colour of {@code failed} */
        public record Succession(VolumeId failed, VolumeId spare) {
            public Succession {
                Objects.requireNonNull(failed, "failed");
                Objects.requireNonNull(spare, "spare");
            }
        }

        public AdaptRing {
            Objects.requireNonNull(ring, "ring");
            Objects.requireNonNull(writers, "writers");
            successions = List.copyOf(successions);
            emptied = List.copyOf(emptied);
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** An event and when the leader noted it. */
    record Noted(long atMillis, ClusterEvent event) {
        public Noted {
            Objects.requireNonNull(event, "event");
        }
    }
}
