package io.ecfs.message.namespace;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
import io.ecfs.message.Throttles;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.namespace.NamespaceOperation.Access;
import io.ecfs.message.report.AuditPlace;
import io.ecfs.message.report.RelayFallbacks;
import io.ecfs.message.report.WriteShare;
import io.ecfs.message.ring.RingState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Requests of clients and operators to the namenode. {@link Mutation}s go through the log once; all others are
 * linearizable reads.
 */
public sealed interface NamespaceRequest extends Message {

    /** A call that changes the namespace: its answer is remembered under its request id. */
    sealed interface Mutation extends NamespaceRequest {
        RequestId request();
    }

    /** Answered by {@link NamespaceReply.Status}. */
    @NamespaceOperation(number = 256, access = Access.PATH)
    record GetStatus(FilePath path) implements NamespaceRequest {}

    /** Status of a file or directory by its inode, at its present path. Answered by {@link NamespaceReply.Status}. */
    @NamespaceOperation(number = 290, access = Access.PATH)
    record GetInodeStatus(InodeId inode) implements NamespaceRequest {
        public GetInodeStatus {
            Objects.requireNonNull(inode, "inode");
        }
    }

    /**
     * Fails with {@code ACCESS_DENIED} unless the caller may do all of this. Answered by {@link NamespaceReply.Done}.
     */
    @NamespaceOperation(number = 291, access = Access.PATH)
    record CheckAccess(FilePath path, int bits) implements NamespaceRequest {
        public CheckAccess {
            Objects.requireNonNull(path, "path");
            if (bits < 0 || bits > 7) {
                throw new IllegalArgumentException("access bits of " + path + " are out of [0, 7]: " + bits);
            }
        }
    }

    /** Answered by {@link NamespaceReply.Acl}. */
    @NamespaceOperation(number = 292, access = Access.PATH)
    record GetAcl(FilePath path) implements NamespaceRequest {}

    /** Those that the caller may see; answered by {@link NamespaceReply.XAttrs}. */
    @NamespaceOperation(number = 293, access = Access.PATH)
    record GetXAttrs(FilePath path) implements NamespaceRequest {}

    /** Quotas of a directory and what is used of them; answered by {@link NamespaceReply.Quota}. */
    @NamespaceOperation(number = 294, access = Access.PATH)
    record GetQuota(FilePath path) implements NamespaceRequest {}

    /**
     * Sums of one page of a directory's entries (a file is its own page), not of what lies below them. Answered by
     * {@link NamespaceReply.Sums}, whose directories the caller asks for next.
     *
     * @param startAfter the last name of the page before; empty for the first
     * @param limit most entries to examine, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 295, access = Access.PATH)
    record SumDirectory(FilePath path, String startAfter, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 5000;

        public SumDirectory {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(startAfter, "startAfter");
            checkLimit(limit, MAX_PAGE);
        }
    }

    /** State of safe mode; answered by {@link NamespaceReply.SafeMode}. */
    @NamespaceOperation(number = 296, access = Access.ANY_USER)
    record GetSafeMode() implements NamespaceRequest {}

    /**
     * One page of a directory in name order (a file lists itself). Answered by {@link NamespaceReply.Listing}.
     *
     * @param startAfter the last name of the page before; empty for the first
     * @param limit most entries in the answer, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 257, access = Access.PATH)
    record ListStatus(FilePath path, String startAfter, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        public ListStatus {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(startAfter, "startAfter");
            if (limit < 1 || limit > MAX_PAGE) {
                throw new IllegalArgumentException("page limit must be in [1, " + MAX_PAGE + "]: " + limit);
            }
        }
    }

    /**
     * Extents and groups that hold file bytes [offset, offset + length), with read tokens. Answered by
     * {@link NamespaceReply.Located}, which may stop early at a page of groups: ask again from where it ended.
     */
    @NamespaceOperation(number = 258, access = Access.PATH)
    record Locate(FilePath path, long offset, long length) implements NamespaceRequest {
        public Locate {
            Objects.requireNonNull(path, "path");
            if (offset < 0 || length < 0) {
                throw new IllegalArgumentException(
                        "range of " + path + " is negative: offset=" + offset + " length=" + length);
            }
        }
    }

    /**
     * As {@link Locate} of many files from their begin. Answered by {@link NamespaceReply.LocatedAll}, which may stop
     * early, when it has a page of groups: ask again for the files that it does not answer.
     *
     * @param paths from 1 to {@value #MOST_FILES}
     */
    @NamespaceOperation(number = 302, access = Access.PATH)
    record LocateAll(List<FilePath> paths, long length) implements NamespaceRequest {
        public static final int MOST_FILES = 256;

        public LocateAll {
            paths = List.copyOf(paths);
            if (paths.isEmpty() || paths.size() > MOST_FILES || length < 0) {
                throw new IllegalArgumentException("request for the places of " + paths.size() + " files, " + length
                        + " bytes each: it has from 1 to " + MOST_FILES + " files");
            }
        }
    }

    /** Policies with what they cost and survive; answered by {@link NamespaceReply.Policies}. */
    @NamespaceOperation(number = 259, access = Access.ANY_USER)
    record ListPolicies() implements NamespaceRequest {}

    /** Answered by {@link NamespaceReply.Report}. */
    @NamespaceOperation(number = 260, access = Access.ANY_USER)
    record GetReport() implements NamespaceRequest {}

    /** Capacity and use of the whole cluster; answered by {@link NamespaceReply.Space}. */
    @NamespaceOperation(number = 261, access = Access.ANY_USER)
    record GetSpace() implements NamespaceRequest {}

    /**
     * State of the called namenode, leader or not. Answered by {@link NamespaceReply.NamenodeState}.
     *
     * @param index of the log entry after which the hash of its facts is wanted
     */
    @NamespaceOperation(number = 350, access = Access.ANY_USER)
    record GetNamenodeState(long index) implements NamespaceRequest {}

    /**
     * Raises the feature level in force to that of the leader's release, when all namenodes read it; for the superuser.
     * Repeating it changes nothing. Answered by {@link NamespaceReply.LevelsInForce}; {@code INVALID_ARGUMENT} says
     * which namenode is not ready.
     */
    @NamespaceOperation(number = 351, access = Access.SUPERUSER, doing = "finalize an upgrade")
    record FinalizeUpgrade() implements NamespaceRequest {}

    /** Identity of the cluster: id and all namenodes. Answered by any namenode with {@link NamespaceReply.Cluster}. */
    @NamespaceOperation(number = 262, access = Access.ANY_USER)
    record GetCluster() implements NamespaceRequest {}

    /**
     * Events after the one with number {@code after}, oldest first. Answered by {@link NamespaceReply.Events}.
     *
     * @param limit in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 278, access = Access.SUPERUSER, doing = "list events")
    record ListEvents(long after, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        public ListEvents {
            checkAfter(after, -1);
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * Incidents after the one with number {@code after}, oldest first. Answered by {@link NamespaceReply.Incidents}.
     *
     * @param limit in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 279, access = Access.SUPERUSER, doing = "list incidents")
    record ListIncidents(long after, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        public ListIncidents {
            checkAfter(after, -1);
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * The chunks of an incident in the order of group and index, from behind (afterGroup, afterIndex) on. Answered by
     * {@link NamespaceReply.Repairs}; {@code NOT_FOUND} when the history has no such incident.
     *
     * @param afterGroup 0 for the first page
     * @param limit in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 280, access = Access.SUPERUSER, doing = "list repairs")
    record ListRepairs(long incident, long afterGroup, int afterIndex, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        public ListRepairs {
            checkAfter(afterGroup, 0);
            checkAfter(afterIndex, 0);
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * Groups of files at and below a path that are not whole: first those that are lost, then the others, each in group
     * order. Answered by {@link NamespaceReply.Problems}; {@code SAFE_MODE} while the leader does not know all of them
     * yet.
     *
     * @param lost whether to list the lost ones, or the others
     * @param afterGroup 0 for the first page
     * @param limit most groups to examine, in [1, {@value #MAX_PAGE}]
     * @param urgentFirst true: the one page of the most urgent ones that are not lost, instead of a page in group order
     */
    @NamespaceOperation(number = 281, access = Access.PATH)
    record FindProblems(FilePath path, boolean lost, long afterGroup, int limit, Optional<Boolean> urgentFirst)
            implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        /** In group order. */
        public FindProblems(FilePath path, boolean lost, long afterGroup, int limit) {
            this(path, lost, afterGroup, limit, Optional.empty());
        }

        public FindProblems {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(urgentFirst, "urgentFirst");
            checkAfter(afterGroup, 0);
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * Files and directories below a directory whose names match a pattern, in the order of a walk from the top down
     * (find -name of POSIX). Directories that the caller may not list are skipped. Answered by
     * {@link NamespaceReply.Found}.
     *
     * @param pattern of the whole name: {@code *} any characters, {@code ?} one, {@code [a-z]} and {@code [!a-z]} one
     *     of a set, {@code \} before a character that stands for itself; of 1 to {@value #MOST_PATTERN} characters
     * @param anyCase whether upper and lower case are alike
     * @param after where the page before ended; empty for the first
     * @param limit most names to examine, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 353, access = Access.PATH)
    record FindNames(FilePath path, String pattern, boolean anyCase, Optional<FilePath> after, int limit)
            implements NamespaceRequest {
        public static final int MAX_PAGE = 10_000;
        public static final int MOST_PATTERN = 255;

        public FindNames {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(after, "after");
            if (pattern.isEmpty() || pattern.length() > MOST_PATTERN) {
                throw new IllegalArgumentException(
                        "a pattern of names has 1 to " + MOST_PATTERN + " characters, got " + pattern.length());
            }
            if (after.isPresent() && !path.contains(after.get())) {
                throw new IllegalArgumentException(after.get() + " is not below " + path);
            }
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * The files that have bytes in these groups, as far as the caller could list them. Answered by
     * {@link NamespaceReply.GroupFiles}.
     *
     * @param groups from 1 to {@value #MOST_GROUPS}
     */
    @NamespaceOperation(number = 354, access = Access.PATH)
    record FindGroups(List<GroupId> groups) implements NamespaceRequest {
        public static final int MOST_GROUPS = 1000;

        public FindGroups {
            groups = List.copyOf(groups);
            if (groups.isEmpty() || groups.size() > MOST_GROUPS) {
                throw new IllegalArgumentException("ask for 1 to " + MOST_GROUPS + " groups, not " + groups.size());
            }
        }
    }

    /**
     * How many files have bytes in these groups, of those that are packs and have a file that the caller may read.
     * Answered by {@link NamespaceReply.Packs}.
     *
     * @param groups from 1 to {@value #MOST_GROUPS}
     * @param paths most paths of files of each group in the answer, up to {@value #MOST_PATHS}; empty: none
     */
    @NamespaceOperation(number = 391, access = Access.PATH)
    record FindPacks(List<GroupId> groups, Optional<Integer> paths) implements NamespaceRequest {
        public static final int MOST_GROUPS = 32;
        public static final int MOST_PATHS = 100;

        /** Without paths. */
        public FindPacks(List<GroupId> groups) {
            this(groups, Optional.empty());
        }

        public FindPacks {
            groups = List.copyOf(groups);
            paths.ifPresent(most -> checkLimit(most, MOST_PATHS));
            if (groups.isEmpty() || groups.size() > MOST_GROUPS) {
                throw new IllegalArgumentException("ask for 1 to " + MOST_GROUPS + " packs, not " + groups.size());
            }
        }
    }

    /**
     * Groups of packs in which files have bytes, without the number of these files. Answered by
     * {@link NamespaceReply.Packs}.
     *
     * @param after the number that the groups of the page are greater than
     * @param limit most groups, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 392, access = Access.SUPERUSER, doing = "list packs")
    record ListPacks(long after, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        public ListPacks {
            checkAfter(after, 0);
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * Lines of the audit log of the namenode that is asked, which may be any, the latest first. Answered by
     * {@link NamespaceReply.AuditLines}; {@code UNSUPPORTED} when it writes none to a file.
     *
     * @param before where to go on towards older lines; empty: from the latest
     * @param containing text that the lines contain, in upper or lower case; empty: all lines
     * @param limit most lines in the answer, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 355, access = Access.SUPERUSER, doing = "read the audit log")
    record ListAudit(Optional<AuditPlace> before, String containing, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;
        private static final int MOST_TEXT = 255;

        public ListAudit {
            Objects.requireNonNull(before, "before");
            if (containing.length() > MOST_TEXT) {
                throw new IllegalArgumentException(
                        "the text to find has at most " + MOST_TEXT + " characters, got " + containing.length());
            }
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * Chunks that datanodes have and no facts place, a page in the order of volume and chunk. Answered by
     * {@link NamespaceReply.Orphans}.
     *
     * @param after the last one of the page before; empty for the first page
     * @param limit most chunks to examine, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 285, access = Access.SUPERUSER, doing = "list chunks that no file has")
    record FindOrphans(Optional<Place> after, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        /** Location of a chunk. */
        public record Place(VolumeId volume, ChunkId chunk) {
            public Place {
                Objects.requireNonNull(volume, "volume");
                Objects.requireNonNull(chunk, "chunk");
            }
        }

        public FindOrphans {
            Objects.requireNonNull(after, "after");
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * Balance of the volumes' fill levels; answered by {@link NamespaceReply.Balanced}. A rebalance that was begun
     * lasts until no volume is out of balance, or the leader changes.
     *
     * @param thresholdPermille most difference of a volume's share from the mean, in [0, 1000]; 0: as configured
     */
    @NamespaceOperation(number = 284, access = Access.SUPERUSER, doing = "begin or end balancing")
    record Balance(Balance.Wish wish, int thresholdPermille) implements NamespaceRequest {
        /** Action of an operator; only the superuser begins or ends. */
        public enum Wish {
            LOOK,
            BEGIN,
            END
        }

        public Balance {
            Objects.requireNonNull(wish, "wish");
            if (thresholdPermille < 0 || thresholdPermille > 1000) {
                throw new IllegalArgumentException("threshold is out of [0, 1000]: " + thresholdPermille);
            }
        }
    }

    /**
     * Checks whether groups would have too few chunks left if these datanodes stopped now: a page of the chunks on
     * their volumes, in the order of volume and group. Answered by {@link NamespaceReply.StopChecked};
     * {@code NOT_FOUND} for a datanode that never registered, {@code SAFE_MODE} while the leader does not know which
     * chunks can be read.
     *
     * @param datanodes at least one
     * @param volume 0 for the first page, as {@code afterGroup}
     * @param limit most chunks to examine, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 282, access = Access.SUPERUSER, doing = "have it checked whether datanodes may stop")
    record CheckStop(List<DatanodeId> datanodes, int volume, long afterGroup, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 5000;
        public static final int MAX_DATANODES = 1000;

        public CheckStop {
            datanodes = List.copyOf(datanodes);
            if (datanodes.isEmpty() || datanodes.size() > MAX_DATANODES) {
                throw new IllegalArgumentException(
                        "a check takes 1 to " + MAX_DATANODES + " datanodes, got " + datanodes.size());
            }
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * Samples of groups that clients read together, for every namenode, leader or not; best effort. Answered by
     * {@link NamespaceReply.Done}.
     */
    @NamespaceOperation(number = 330, access = Access.ANY_USER)
    record ReportAccesses(List<AccessSet> sets) implements NamespaceRequest {
        /** Most sets in one message. */
        public static final int MAX_SETS = 1000;

        public ReportAccesses {
            sets = List.copyOf(sets);
            if (sets.size() > MAX_SETS) {
                throw new IllegalArgumentException(
                        "a report of accesses has at most " + MAX_SETS + " sets, got " + sets.size());
            }
        }
    }

    /**
     * Time of the caller's writes since its last report, for every namenode, leader or not; best effort. Answered by
     * {@link NamespaceReply.Done}.
     *
     * @param fallbacks those since the last report; empty from clients of earlier releases, or when there are none
     */
    @NamespaceOperation(number = 360, access = Access.ANY_USER)
    record ReportWrites(List<WriteShare> shares, Optional<List<RelayFallbacks>> fallbacks) implements NamespaceRequest {
        /** Policies and sides in one message. */
        public static final int MAX_SHARES = 64;

        /** Reasons of fallbacks in one message. */
        public static final int MAX_REASONS = 256;

        public ReportWrites {
            shares = List.copyOf(shares);
            if (shares.size() > MAX_SHARES) {
                throw new IllegalArgumentException(
                        "a report of writes has at most " + MAX_SHARES + " shares, got " + shares.size());
            }
            fallbacks = fallbacks.map(List::copyOf);
            if (fallbacks.map(List::size).orElse(0) > MAX_REASONS) {
                throw new IllegalArgumentException("a report of writes has at most " + MAX_REASONS
                        + " reasons of fallbacks, got " + fallbacks.get().size());
            }
        }
    }

    /** Time of the writes of all clients, by policy and side; answered by {@link NamespaceReply.Writes}. */
    @NamespaceOperation(number = 361, access = Access.ANY_USER)
    record GetWrites() implements NamespaceRequest {}

    /**
     * State and moves of the chunk mover. Answered by {@link NamespaceReply.Moves}.
     *
     * @param after number of the move before the first wanted one
     * @param limit most moves in the answer, in [1, {@value #MAX_PAGE}]
     * @param plan whether to include the moves that would come next; none is executed for that
     */
    @NamespaceOperation(number = 332, access = Access.SUPERUSER, doing = "list moves of chunks")
    record GetMoves(long after, int limit, boolean plan) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        public GetMoves {
            checkLimit(limit, MAX_PAGE);
        }
    }

    /**
     * The conversions under way and those that ended last, of the caller; of all users for the superuser. Answered by
     * {@link NamespaceReply.Conversions}.
     */
    @NamespaceOperation(number = 381, access = Access.OWN)
    record GetConversions() implements NamespaceRequest {}

    /** The conversion rules that hold below a directory. Answered by {@link NamespaceReply.ConversionRules}. */
    @NamespaceOperation(number = 384, access = Access.PATH)
    record GetConversionRules(FilePath path) implements NamespaceRequest {
        public GetConversionRules {
            Objects.requireNonNull(path, "path");
        }
    }

    /** Distribution of the load; answered by {@link NamespaceReply.Loads}. */
    @NamespaceOperation(number = 331, access = Access.ANY_USER)
    record GetLoads() implements NamespaceRequest {}

    /**
     * Groups with a chunk on a datanode that are read most, and their readers. Answered by
     * {@link NamespaceReply.ReadMost}; {@code NOT_FOUND} for no such datanode.
     *
     * @param limit most groups in the answer, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 356, access = Access.SUPERUSER, doing = "see which groups are read by whom")
    record GetHotGroups(DatanodeId datanode, int limit) implements NamespaceRequest {
        public static final int MAX_PAGE = 1000;

        public GetHotGroups {
            Objects.requireNonNull(datanode, "datanode");
            checkLimit(limit, MAX_PAGE);
        }
    }

    /** Throttles of reconstruction; answered by {@link NamespaceReply.ThrottlesInForce}. */
    @NamespaceOperation(number = 340, access = Access.ANY_USER)
    record GetThrottles() implements NamespaceRequest {}

    /**
     * User bytes and stored bytes of sealed groups; answered by {@link NamespaceReply.SummedGroups}.
     *
     * @param after the number that the groups of the page are greater than
     * @param limit most groups to examine, in [1, {@value #MAX_PAGE}]
     */
    @NamespaceOperation(number = 342, access = Access.SUPERUSER, doing = "have all groups summed")
    record SumGroups(long after, int limit) implements NamespaceRequest {
        /** Most groups in one page: the event thread examines every chunk of them without a break. */
        public static final int MAX_PAGE = 100;

        public SumGroups {
            checkAfter(after, 0);
            checkLimit(limit, MAX_PAGE);
        }
    }

    /** A page begins behind it, so there must be a number behind it. */
    private static void checkAfter(long after, long least) {
        if (after < least || after == Long.MAX_VALUE) {
            throw new IllegalArgumentException("no page begins behind " + after);
        }
    }

    private static void checkLimit(int limit, int most) {
        if (limit < 1 || limit > most) {
            throw new IllegalArgumentException("page limit must be in [1, " + most + "]: " + limit);
        }
    }

    /**
     * Reports chunks of files that the caller may read as missing, or with bytes that do not match. Answered by
     * {@link NamespaceReply.Done}.
     */
    @NamespaceOperation(number = 263, access = Access.PATH)
    record ReportBadChunks(List<BadChunk> chunks) implements NamespaceRequest {
        public static final int MOST_CHUNKS = 1000;

        public ReportBadChunks {
            chunks = List.copyOf(chunks);
            if (chunks.size() > MOST_CHUNKS) {
                throw new IllegalArgumentException(
                        "a report has at most " + MOST_CHUNKS + " bad chunks, got " + chunks.size());
            }
        }
    }

    /** Renews all leases of a client. Answered by {@link NamespaceReply.Done}. */
    @NamespaceOperation(number = 264, access = Access.OWN)
    record RenewLease(String client) implements NamespaceRequest {
        public RenewLease {
            Objects.requireNonNull(client, "client");
        }
    }

    /**
     * Checks that the client still writes this group of the file: sent once a group, when its chunks are begun and
     * before anything of it is acknowledged, since an earlier recovery of the lease could not fence chunks that did not
     * exist yet (HDFS: ClientProtocol.fsync of a new block). Answered by {@link NamespaceReply.Done};
     * {@code LEASE_CONFLICT} or {@code NOT_FOUND} when it does not.
     */
    @NamespaceOperation(number = 323, access = Access.LEASE)
    record ConfirmGroup(InodeId file, GroupId group, String client) implements NamespaceRequest {
        public ConfirmGroup {
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(client, "client");
        }
    }

    /**
     * Asks how many chunks of a group could be placed now that came behind this one, which the client writes. Answered
     * by {@link NamespaceReply.Places}; {@code LEASE_CONFLICT} or {@code NOT_FOUND} when it does not write it.
     *
     * @param avoid datanodes that failed the writer
     */
    @NamespaceOperation(number = 347, access = Access.LEASE)
    record CountPlaces(InodeId file, GroupId group, String client, List<DatanodeId> avoid) implements NamespaceRequest {
        public CountPlaces {
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(client, "client");
            avoid = List.copyOf(avoid);
        }
    }

    /**
     * Requests a new token to write a group that this client writes, or has written to the file that it still writes:
     * tokens expire before long writes end. Answered by {@link NamespaceReply.Allocated}; {@code LEASE_CONFLICT} or
     * {@code NOT_FOUND} when the group is not the client's.
     */
    @NamespaceOperation(number = 346, access = Access.LEASE)
    record RenewToken(InodeId file, GroupId group, String client) implements NamespaceRequest {
        public RenewToken {
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(client, "client");
        }
    }

    /**
     * Makes a directory and what is missing above it; a directory that exists is fine. Answered by
     * {@link NamespaceReply.Done}.
     */
    @NamespaceOperation(number = 265, access = Access.PATH)
    record Mkdirs(RequestId request, FilePath path, int mode, boolean createParents) implements Mutation {}

    /**
     * Makes a file, takes its lease and allocates its first group, in one log entry. Answered by
     * {@link NamespaceReply.Created}.
     *
     * @param overwrite replace a file (never a directory); otherwise {@code ALREADY_EXISTS}
     * @param policy empty: the directory's
     */
    @NamespaceOperation(number = 266, access = Access.PATH)
    record Create(
            RequestId request,
            FilePath path,
            int mode,
            boolean overwrite,
            boolean createParents,
            Optional<Policy> policy)
            implements Mutation {
        public Create {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(policy, "policy");
        }
    }

    /**
     * As {@link Create}, but without a first group: {@link AddGroup} or {@link CommitFiles} gives the file its bytes.
     * Answered by {@link NamespaceReply.Status}, of the file. From {@link FeatureLevel#PACKS} on.
     */
    @NamespaceOperation(number = 370, access = Access.PATH)
    record CreateWithoutGroup(Create create) implements Mutation {
        public CreateWithoutGroup {
            Objects.requireNonNull(create, "create");
        }

        @Override
        public RequestId request() {
            return create.request();
        }
    }

    /**
     * Opens a pack: a file without a name, whose groups take the bytes of small files of this client. It has the
     * policy, owner, group, mode and access control list of an open file of the caller, and takes only files that have
     * the same. It is written, sealed, closed and recovered as any open file is, by its inode; when it is closed, it is
     * gone. Answered by {@link NamespaceReply.Created}. From {@link FeatureLevel#PACKS} on.
     *
     * @param like the open file
     * @param avoid datanodes that the writer could not use
     */
    @NamespaceOperation(number = 371, access = Access.LEASE)
    record OpenPack(RequestId request, InodeId like, List<DatanodeId> avoid) implements Mutation {
        public OpenPack {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(like, "like");
            avoid = List.copyOf(avoid);
        }
    }

    /**
     * Gives open files, which have no bytes yet, their bytes in groups of an open pack, and closes them. Those bytes
     * must have been acknowledged. A file that cannot be closed so does not keep others from it. Answered by
     * {@link NamespaceReply.Committed}. From {@link FeatureLevel#PACKS} on.
     *
     * @param pack open, of this client
     * @param files from 1 to {@value #MOST_FILES}
     */
    @NamespaceOperation(number = 372, access = Access.LEASE)
    record CommitFiles(RequestId request, InodeId pack, List<PackedFile> files) implements Mutation {
        public static final int MOST_FILES = 256;

        public CommitFiles {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(pack, "pack");
            files = List.copyOf(files);
            if (files.isEmpty() || files.size() > MOST_FILES) {
                throw new IllegalArgumentException("commit 1 to " + MOST_FILES + " files at once, not " + files.size());
            }
        }
    }

    /**
     * The next group of an open file, sealing the one before. Answered by {@link NamespaceReply.Allocated}.
     *
     * @param previous empty when there is no open group
     * @param avoid datanodes that the writer could not use
     */
    @NamespaceOperation(number = 267, access = Access.LEASE)
    record AddGroup(RequestId request, InodeId file, Optional<SealedGroup> previous, List<DatanodeId> avoid)
            implements Mutation {
        public AddGroup {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(previous, "previous");
            avoid = List.copyOf(avoid);
        }
    }

    /** Seals the open group without another (hsync). Answered by {@link NamespaceReply.Status}. */
    @NamespaceOperation(number = 268, access = Access.LEASE)
    record SealGroup(RequestId request, InodeId file, SealedGroup sealed) implements Mutation {}

    /**
     * Ends writing: seals the last group, closes the file, gives up the lease. Answered by
     * {@link NamespaceReply.Status}.
     *
     * @param last empty when every group is sealed already
     * @param unused of a last group of length 0: nothing was ever sent to its datanodes, so they need not delete
     *     anything
     */
    @NamespaceOperation(number = 269, access = Access.LEASE)
    record CompleteFile(RequestId request, InodeId file, Optional<SealedGroup> last, boolean unused)
            implements Mutation {
        /** With a last group that may have chunks. */
        public CompleteFile(RequestId request, InodeId file, Optional<SealedGroup> last) {
            this(request, file, last, false);
        }

        public CompleteFile {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(last, "last");
        }
    }

    /**
     * Removes chunks from the open group, which its writer could not begin and goes on without: their state, if found
     * later, says nothing about acknowledged bytes. A {@link ConfirmGroup} as well, and answered like it.
     *
     * @param indexes of the chunks; those that are left must survive one more loss
     */
    @NamespaceOperation(number = 324, access = Access.LEASE)
    record LeaveOut(RequestId request, InodeId file, GroupId group, List<Integer> indexes) implements Mutation {
        public LeaveOut {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(group, "group");
            indexes = List.copyOf(indexes);
        }
    }

    /** Abandons an unfinished file of this client: it is deleted. Answered by {@link NamespaceReply.Done}. */
    @NamespaceOperation(number = 270, access = Access.LEASE)
    record AbandonFile(RequestId request, InodeId file) implements Mutation {}

    /**
     * Opens a closed file to append to it, in a new group; answered by {@link NamespaceReply.Created}. Existing bytes
     * are not touched.
     */
    @NamespaceOperation(number = 320, access = Access.PATH)
    record Append(RequestId request, FilePath path) implements Mutation {
        public Append {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
        }
    }

    /**
     * Opens a closed file to update it in place, without a group; answered by {@link NamespaceReply.Updating}. The
     * groups that {@link AddGroup} allocates for it are patch groups: block groups of batches of writes. A sealed one
     * is a patch of the file, newer than those before it; neither extents nor length change by it. A byte of the file
     * is that of its newest patch that has it, else that of its extent, else 0. The caller asks for the extents by
     * {@link Locate}: they do not change while it holds the lease, but by {@link ReplaceLayout}. From
     * {@link FeatureLevel#UPDATES} on.
     *
     * @param nonce a random number: the file's, for the heads of its batches, if it has no patches
     */
    @NamespaceOperation(number = 400, access = Access.PATH)
    record OpenUpdate(RequestId request, FilePath path, long nonce) implements Mutation {
        public OpenUpdate {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
        }
    }

    /**
     * Replaces extents, patches and length of a file that its client has open for update; answered by
     * {@link NamespaceReply.Updating} with the next version. Each extent is a part of one that the file has, or lies in
     * a sealed patch group of the file, without an origin. The patches are some of those that the file has, in their
     * order, each with its length; an index offset is set where there was none. Groups to which neither extents nor
     * patches refer any more are dropped; one to which extents alone refer is an ordinary group of the file from now
     * on. {@code FILE_CHANGED} when the file has another version. From {@link FeatureLevel#UPDATES} on.
     *
     * @param version of the file as the caller knows it
     * @param length of the file, from the end of the last extent to {@value #MOST_BYTES}
     * @param extents in file order, gaps read as zeros; at most {@value #MOST_EXTENTS}. Empty: they stay as they are
     * @param patches the oldest first, with the live bytes that are recorded; at most {@value #MOST_PATCHES}
     */
    @NamespaceOperation(number = 401, access = Access.LEASE)
    record ReplaceLayout(
            RequestId request,
            InodeId file,
            long version,
            long length,
            Optional<List<Extent>> extents,
            List<PatchGroup> patches)
            implements Mutation {
        public static final long MOST_BYTES = 1L << 50;
        public static final int MOST_EXTENTS = 1 << 17;

        /** Patches that a file has at most: each is in every answer to {@link Locate}. */
        public static final int MOST_PATCHES = 1024;

        /** With other extents. */
        public ReplaceLayout(
                RequestId request,
                InodeId file,
                long version,
                long length,
                List<Extent> extents,
                List<PatchGroup> patches) {
            this(request, file, version, length, Optional.of(extents), patches);
        }

        public ReplaceLayout {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(file, "file");
            extents = extents.map(List::copyOf);
            patches = List.copyOf(patches);
            int count = extents.map(List::size).orElse(0);
            if (count > MOST_EXTENTS || patches.size() > MOST_PATCHES) {
                throw new IllegalArgumentException("layout of " + file + " with " + count + " extents and "
                        + patches.size() + " patches: it has at most " + MOST_EXTENTS + " and " + MOST_PATCHES);
            }
        }
    }

    /**
     * Truncates a closed file to {@code length} bytes, at most its present length; answered by
     * {@link NamespaceReply.Status}.
     *
     * @param from length of the file as the caller knows it: a file that has {@code length} bytes already was truncated
     *     by an earlier attempt whose answer got lost, and one of any other length is not truncated
     */
    @NamespaceOperation(number = 321, access = Access.PATH)
    record Truncate(RequestId request, FilePath path, long length, Optional<Long> from) implements Mutation {
        public Truncate {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(from, "from");
        }
    }

    /**
     * Moves the bytes of closed files behind the end of another one, in this order; the files disappear. Answered by
     * {@link NamespaceReply.Status}. Policies may differ, and groups may be partly filled.
     */
    @NamespaceOperation(number = 322, access = Access.PATH)
    record Concat(RequestId request, FilePath path, List<FilePath> sources) implements Mutation {
        public Concat {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            sources = List.copyOf(sources);
        }
    }

    /**
     * Takes an open file from its writer and closes it at its recovered length; answered by
     * {@link NamespaceReply.Recovery}.
     *
     * @param file inode that the caller has written: this file at its present path, and no other file of that name
     */
    @NamespaceOperation(number = 271, access = Access.PATH)
    record RecoverLease(RequestId request, FilePath path, Optional<InodeId> file) implements Mutation {
        /** For the file that has that name. */
        public RecoverLease(RequestId request, FilePath path) {
            this(request, path, Optional.empty());
        }

        public RecoverLease {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(file, "file");
        }
    }

    /**
     * Atomic rename, O(1) also for directories; {@code to} is the new full path. Answered by
     * {@link NamespaceReply.Done}.
     *
     * @param overwrite replace a file or an empty directory at {@code to}
     */
    @NamespaceOperation(number = 272, access = Access.PATH)
    record Rename(RequestId request, FilePath from, FilePath to, boolean overwrite) implements Mutation {}

    /** Answered by {@link NamespaceReply.Done}; O(1) for the caller, space is freed in the background. */
    @NamespaceOperation(number = 273, access = Access.PATH)
    record Delete(RequestId request, FilePath path, boolean recursive) implements Mutation {}

    @NamespaceOperation(number = 274, access = Access.PATH)
    record SetMode(RequestId request, FilePath path, int mode) implements Mutation {}

    /** @param owner empty: unchanged, as {@code group} */
    @NamespaceOperation(number = 275, access = Access.PATH)
    record SetOwner(RequestId request, FilePath path, Optional<String> owner, Optional<String> group)
            implements Mutation {}

    /** @param modifiedMillis empty: unchanged, as {@code accessedMillis} */
    @NamespaceOperation(number = 276, access = Access.PATH)
    record SetTimes(RequestId request, FilePath path, Optional<Long> modifiedMillis, Optional<Long> accessedMillis)
            implements Mutation {}

    /** Sets the policy of new files below this directory; existing ones do not change. Empty: inherit again. */
    @NamespaceOperation(number = 277, access = Access.PATH)
    record SetPolicy(RequestId request, FilePath path, Optional<Policy> policy) implements Mutation {}

    /**
     * Sets the ring on whose volumes the groups of new files below this directory lie, and with {@code policy} that of
     * new files too, both or neither. Answered by {@link NamespaceReply.Done}; {@code INVALID_ARGUMENT} where groups of
     * the policy cannot be read without a volume that writes. From {@link FeatureLevel#RINGS} on.
     *
     * @param ring its name; empty: inherit again
     * @param policy empty: stays
     */
    @NamespaceOperation(number = 415, access = Access.PATH)
    record SetDirectoryRing(
            RequestId request, FilePath path, Optional<String> ring, Optional<SetEncoding.PolicyChange> policy)
            implements Mutation {
        public SetDirectoryRing {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(policy, "policy");
            ring.ifPresent(RingState::checkName);
        }
    }

    /** All rings; answered by {@link NamespaceReply.Rings}. */
    @NamespaceOperation(number = 410, access = Access.ANY_USER)
    record GetRings() implements NamespaceRequest {}

    /**
     * Makes a ring of volumes that have no chunks; for the superuser. Answered by {@link NamespaceReply.Done}.
     *
     * @param writers how many colours write at a time; empty: the leader chooses by demand
     * @param volumes with colours, given in turn
     * @param spares each takes the colour of one that fails
     */
    @NamespaceOperation(number = 411, access = Access.SUPERUSER, doing = "create a ring")
    record CreateRing(
            RequestId request,
            String name,
            int colours,
            Optional<Integer> writers,
            long periodMillis,
            List<VolumeId> volumes,
            List<VolumeId> spares)
            implements Mutation {
        public CreateRing {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(writers, "writers");
            RingState.checkName(name);
            volumes = List.copyOf(volumes);
            spares = List.copyOf(spares);
        }
    }

    /**
     * Changes a ring, in a new epoch; for the superuser. What is empty stays as it is. Answered by
     * {@link NamespaceReply.Done}.
     *
     * @param writers {@link #AUTO}: the leader chooses by demand
     */
    @NamespaceOperation(number = 412, access = Access.SUPERUSER, doing = "change a ring")
    record SetRing(
            RequestId request,
            String name,
            Optional<Integer> writers,
            Optional<Long> periodMillis,
            Optional<Boolean> paused)
            implements Mutation {
        public static final int AUTO = 0;

        public SetRing {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(writers, "writers");
            Objects.requireNonNull(periodMillis, "periodMillis");
            Objects.requireNonNull(paused, "paused");
            if (writers.orElse(AUTO) < AUTO) {
                throw new IllegalArgumentException("ring " + name + " has no " + writers.get() + " writers");
            }
        }
    }

    /**
     * Adds volumes without chunks to a ring, or takes volumes out of it, whose chunks are moved to others of the ring
     * first; for the superuser. Answered by {@link NamespaceReply.Done}.
     *
     * @param add each to the colour that has fewest
     * @param spares to add without a colour
     * @param remove of either kind
     */
    @NamespaceOperation(number = 413, access = Access.SUPERUSER, doing = "change the volumes of a ring")
    record AssignVolumes(
            RequestId request, String name, List<VolumeId> add, List<VolumeId> spares, List<VolumeId> remove)
            implements Mutation {
        public AssignVolumes {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(name, "name");
            add = List.copyOf(add);
            spares = List.copyOf(spares);
            remove = List.copyOf(remove);
        }
    }

    /** Removes a ring that no directory names; for the superuser. Answered by {@link NamespaceReply.Done}. */
    @NamespaceOperation(number = 414, access = Access.SUPERUSER, doing = "drop a ring")
    record DropRing(RequestId request, String name, Remaining remaining) implements Mutation {
        /** What happens with the groups that the ring has. */
        public enum Remaining {
            /** A ring with groups is not dropped. */
            REFUSE,
            /** They are moved to volumes of no ring first; the ring is gone when it has none. */
            MOVE,
            /** They stay where they are, and the volumes are in no ring at once, also while groups are being moved. */
            KEEP
        }

        public DropRing {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(remaining, "remaining");
        }
    }

    /**
     * Sets where parity is computed of what is written below this directory, and with {@code policy} that of new files
     * too, both or neither; from feature level 2 on. Answered by {@link NamespaceReply.Done}.
     *
     * @param side empty: inherit again
     * @param policy empty: stays
     */
    @NamespaceOperation(number = 357, access = Access.PATH)
    record SetEncoding(RequestId request, FilePath path, Optional<EncodingSide> side, Optional<PolicyChange> policy)
            implements Mutation {
        /** @param to empty: inherit again */
        public record PolicyChange(Optional<Policy> to) {
            public PolicyChange {
                Objects.requireNonNull(to, "to");
            }
        }

        public SetEncoding {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(side, "side");
            Objects.requireNonNull(policy, "policy");
        }

        /** The policy stays. */
        public SetEncoding(RequestId request, FilePath path, Optional<EncodingSide> side) {
            this(request, path, side, Optional.empty());
        }
    }

    /**
     * Has the files below a path, or one file, rewritten under another policy. Their owner with the right to write the
     * path may ask, and the superuser. Answered by {@link NamespaceReply.ConversionBegun}.
     *
     * @param dryRun count alone
     */
    @NamespaceOperation(number = 380, access = Access.PATH)
    record ConvertFiles(RequestId request, FilePath path, Policy policy, boolean dryRun) implements Mutation {
        public ConvertFiles {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(policy, "policy");
        }
    }

    /**
     * Pauses, resumes or cancels a conversion: the user who asked for it, or the superuser. What is being rewritten at
     * the moment is finished; what is converted stays so. Answered by {@link NamespaceReply.Done}.
     *
     * @param job its number
     */
    @NamespaceOperation(number = 382, access = Access.OWN)
    record ControlConversion(RequestId request, long job, Control control) implements Mutation {
        /** Its constants have numbers in the log. */
        public enum Control {
            PAUSE,
            RESUME,
            CANCEL
        }

        public ControlConversion {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(control, "control");
        }
    }

    /**
     * Sets the policies to which the files below a directory are converted as they age; rules of a directory replace
     * those of the ones above it. Answered by {@link NamespaceReply.Done}.
     *
     * @param rules by growing age; none: those of the directory above hold again
     */
    @NamespaceOperation(number = 383, access = Access.PATH)
    record SetConversionRules(RequestId request, FilePath path, List<ConversionRule> rules) implements Mutation {
        public SetConversionRules {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            rules = ConversionRule.checked(rules);
        }
    }

    /**
     * Sets up to which length files that are made below this directory share groups. Answered by
     * {@link NamespaceReply.Done}. From {@link FeatureLevel#PACKS} on.
     *
     * @param upTo bytes, 0: no file is packed; empty: inherit again
     */
    @NamespaceOperation(number = 390, access = Access.PATH)
    record SetPacking(RequestId request, FilePath path, Optional<Long> upTo) implements Mutation {
        public SetPacking {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            if (upTo.orElse(0L) < 0) {
                throw new IllegalArgumentException("files of " + path + " packed up to " + upTo.get() + " bytes");
            }
        }
    }

    /**
     * Changes a POSIX access control list (HDFS: AclTransformation). Answered by {@link NamespaceReply.Done}.
     *
     * @param entries of {@code REMOVE} say which; of {@code REMOVE_DEFAULT} and {@code REMOVE_ALL} there are none
     */
    @NamespaceOperation(number = 297, access = Access.PATH)
    record ChangeAcl(RequestId request, FilePath path, Change change, List<AclEntry> entries) implements Mutation {
        /** Kind of change to the list. */
        public enum Change {
            MODIFY,
            REMOVE,
            REMOVE_DEFAULT,
            REMOVE_ALL,
            SET
        }

        public ChangeAcl {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(change, "change");
            entries = List.copyOf(entries);
        }
    }

    /**
     * Gives a file or directory an extended attribute. Answered by {@link NamespaceReply.Done}.
     *
     * @param create whether it may be new, and {@code replace} whether it may be there already
     */
    @NamespaceOperation(number = 298, access = Access.PATH)
    record SetXAttr(RequestId request, FilePath path, XAttr attribute, boolean create, boolean replace)
            implements Mutation {
        public SetXAttr {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(attribute, "attribute");
        }
    }

    /** Removes an extended attribute. Answered by {@link NamespaceReply.Done}. */
    @NamespaceOperation(number = 299, access = Access.PATH)
    record RemoveXAttr(RequestId request, FilePath path, String name) implements Mutation {
        public RemoveXAttr {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(name, "name");
        }
    }

    /**
     * Sets the quotas of a directory, itself included; for the superuser. Answered by {@link NamespaceReply.Done}.
     *
     * @param names most files and directories; {@link #UNBOUNDED}: no bound; empty: as it is
     * @param space most bytes of chunks, parity included; as {@code names}
     */
    @NamespaceOperation(number = 300, access = Access.PATH)
    record SetQuota(RequestId request, FilePath path, Optional<Long> names, Optional<Long> space) implements Mutation {
        public static final long UNBOUNDED = -1;

        public SetQuota {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(names, "names");
            Objects.requireNonNull(space, "space");
            if (names.orElse(0L) < UNBOUNDED || space.orElse(0L) < UNBOUNDED) {
                throw new IllegalArgumentException("quota of " + path + " is negative: " + names + " names, " + space);
            }
        }
    }

    /**
     * Switches on or off that the namenode refuses all changes by clients; for the superuser. Answered by
     * {@link NamespaceReply.Done}.
     */
    @NamespaceOperation(number = 301, access = Access.SUPERUSER, doing = "begin or end safe mode")
    record SetSafeMode(RequestId request, boolean on) implements Mutation {
        public SetSafeMode {
            Objects.requireNonNull(request, "request");
        }
    }

    /**
     * Begins a client's session, in which each of its mutations has its effect once; its first one, before all others,
     * and again when the namenode has expired an idle session. Answered by {@link NamespaceReply.Done}.
     */
    @NamespaceOperation(number = 345, access = Access.OWN)
    record OpenSession(RequestId request) implements Mutation {
        /** Least time for which an unused session is retained, by the namenodes' log time. */
        public static final Duration SHORTEST = Duration.ofMinutes(10);

        public OpenSession {
            Objects.requireNonNull(request, "request");
        }
    }

    /**
     * Pauses or resumes the chunk mover, across changes of the leader; for the superuser. Answered by
     * {@link NamespaceReply.Done}.
     */
    @NamespaceOperation(number = 333, access = Access.SUPERUSER, doing = "pause or resume the chunk mover")
    record PauseMover(RequestId request, boolean paused) implements Mutation {
        public PauseMover {
            Objects.requireNonNull(request, "request");
        }
    }

    /**
     * Sets the throttles of reconstruction, across changes of the leader; for the superuser. What is empty stays as it
     * is; {@link #AS_CONFIGURED} returns to the configuration. See {@link Throttles}. Answered by
     * {@link NamespaceReply.Done}.
     */
    @NamespaceOperation(number = 341, access = Access.SUPERUSER, doing = "set throttles")
    record SetThrottles(
            RequestId request,
            Optional<Long> repairsAtOnce,
            Optional<Long> repairsPerDatanode,
            Optional<Long> repairBytesPerSecond)
            implements Mutation {
        public static final long AS_CONFIGURED = -1;

        /** Upper bound of the first two. */
        public static final long MOST_REPAIRS = 10_000;

        /** Lower bound of the rate: below it a slice would take longer than the timeout of a repair. */
        public static final long LEAST_BYTES_PER_SECOND = 64 << 10;

        public SetThrottles {
            Objects.requireNonNull(request, "request");
            check("repairs at once", repairsAtOnce, 0, MOST_REPAIRS);
            check("repairs per datanode", repairsPerDatanode, 1, MOST_REPAIRS);
            if (!repairBytesPerSecond.equals(Optional.of(0L))) {
                check("bytes a second, unless 0 for no limit,", repairBytesPerSecond, LEAST_BYTES_PER_SECOND, 1L << 50);
            }
        }

        private static void check(String what, Optional<Long> wanted, long least, long most) {
            if (wanted.filter(value -> value != AS_CONFIGURED && (value < least || value > most))
                    .isPresent()) {
                throw new IllegalArgumentException(
                        what + " must be in [" + least + ", " + most + "], got " + wanted.get());
            }
        }
    }

    /**
     * Lets the next directory that registers under a datanode's name take it over, once: its machine was replaced. For
     * the superuser, from feature level 2 on. Answered by {@link NamespaceReply.Done}; {@code NOT_FOUND} for a datanode
     * that never registered.
     */
    @NamespaceOperation(number = 286, access = Access.SUPERUSER, doing = "admit a datanode")
    record AdmitDatanode(RequestId request, DatanodeId datanode) implements Mutation {
        public AdmitDatanode {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(datanode, "datanode");
        }
    }

    /**
     * Sets the administrative state of a datanode; for the superuser. Setting the state it has changes nothing but the
     * end of maintenance. Answered by {@link NamespaceReply.Done}; {@code NOT_FOUND} for a datanode that never
     * registered.
     *
     * @param wanted {@code IN_SERVICE}, {@code DECOMMISSIONING} or {@code IN_MAINTENANCE}
     * @param forMillis duration of maintenance; empty: until the next change of state, and for the other two
     */
    @NamespaceOperation(number = 283, access = Access.SUPERUSER, doing = "say what is wanted of a datanode")
    record SetAdminState(RequestId request, DatanodeId datanode, AdminState.State wanted, Optional<Long> forMillis)
            implements Mutation {
        public SetAdminState {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(wanted, "wanted");
            Objects.requireNonNull(forMillis, "forMillis");
            if (wanted == AdminState.State.DECOMMISSIONED) {
                throw new IllegalArgumentException(
                        "a datanode is decommissioned when nothing is left on it, not by word");
            }
            if (forMillis.isPresent() && (wanted != AdminState.State.IN_MAINTENANCE || forMillis.get() <= 0)) {
                throw new IllegalArgumentException(
                        "only maintenance has a time, and a positive one: " + forMillis.get());
            }
        }
    }
}
