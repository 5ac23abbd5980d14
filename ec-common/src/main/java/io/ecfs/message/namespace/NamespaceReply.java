package io.ecfs.message.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.Failure;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.Throttles;
import io.ecfs.message.report.AuditPlace;
import io.ecfs.message.report.BalanceReport;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.FileProblem;
import io.ecfs.message.report.GroupFile;
import io.ecfs.message.report.GroupSums;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.message.report.HotGroups;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.LoadReport;
import io.ecfs.message.report.MoverReport;
import io.ecfs.message.report.OrphanChunk;
import io.ecfs.message.report.PackUse;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.message.report.StopProblem;
import io.ecfs.message.report.WriteReport;
import io.ecfs.message.ring.RingState;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The namenode's answers to {@link NamespaceRequest}; failures travel as {@link Failure}. */
public sealed interface NamespaceReply extends Message {

    record Done() implements NamespaceReply {}

    record Status(FileStatus status) implements NamespaceReply {}

    /** @param more true: ask again after the last name */
    record Listing(List<FileStatus> entries, boolean more) implements NamespaceReply {
        public Listing {
            entries = List.copyOf(entries);
        }
    }

    /** @param entries but for owner, mask and others, which the status' mode has when there are named ones */
    record Acl(FileStatus status, List<AclEntry> entries) implements NamespaceReply {
        public Acl {
            Objects.requireNonNull(status, "status");
            entries = List.copyOf(entries);
        }
    }

    /** In name order. */
    record XAttrs(List<XAttr> attributes) implements NamespaceReply {
        public XAttrs {
            attributes = List.copyOf(attributes);
        }
    }

    /**
     * @param names most files and directories, the directory itself included; empty: no bound, as {@code space}
     * @param namesUsed 0 where neither is bounded, as {@code spaceUsed}
     */
    record Quota(Optional<Long> names, Optional<Long> space, long namesUsed, long spaceUsed) implements NamespaceReply {
        public Quota {
            Objects.requireNonNull(names, "names");
            Objects.requireNonNull(space, "space");
        }
    }

    /**
     * @param files in the page, with the sums of their length and of the space of their chunks
     * @param directories names of those in the page
     * @param last name of the page, to ask on after; empty: that was all
     */
    record Sums(long files, long length, long space, List<String> directories, String last) implements NamespaceReply {
        public Sums {
            directories = List.copyOf(directories);
            Objects.requireNonNull(last, "last");
        }
    }

    /** @param reason empty when off */
    record SafeMode(boolean on, String reason) implements NamespaceReply {
        public SafeMode {
            Objects.requireNonNull(reason, "reason");
        }
    }

    record Created(FileStatus status, LocatedGroup first) implements NamespaceReply {}

    /** @param refused files that were not committed; all others are closed */
    record Committed(List<RefusedFile> refused) implements NamespaceReply {
        public Committed {
            refused = List.copyOf(refused);
        }
    }

    record Allocated(LocatedGroup group) implements NamespaceReply {}

    /** @param closed true: the file is closed now; false: recovery has begun, ask again */
    record Recovery(boolean closed) implements NamespaceReply {}

    /**
     * A file that is open for update by the caller.
     *
     * @param version of its layout, to name in the next {@link NamespaceRequest.ReplaceLayout}
     * @param patches the oldest first
     */
    record Updating(FileStatus status, long version, List<PatchGroup> patches) implements NamespaceReply {
        public Updating {
            Objects.requireNonNull(status, "status");
            patches = List.copyOf(patches);
        }
    }

    /**
     * Patches of a file, all of them in every page of its location.
     *
     * @param version of the file's layout
     * @param nonce number that the heads of all batches have
     * @param sealed the oldest first
     * @param groups one for each of these, in their order; behind them, of a file that is being updated, its open patch
     *     group, if it has one
     */
    record Patches(long version, long nonce, List<PatchGroup> sealed, List<LocatedGroup> groups) {
        public Patches {
            sealed = List.copyOf(sealed);
            groups = List.copyOf(groups);
        }

        /** The open patch group, of a file that is being updated. */
        public Optional<LocatedGroup> open() {
            return groups.size() > sealed.size() ? Optional.of(groups.get(sealed.size())) : Optional.empty();
        }
    }

    /**
     * @param extents in file order; they and {@code groups} cover the range asked for, as far as the page goes
     * @param groups of the extents; behind them, of a file that is written at its end, its open group
     * @param patches of a file that has some, or is open for update: what is over the extents
     */
    record Located(FileStatus status, List<Extent> extents, List<LocatedGroup> groups, Optional<Patches> patches)
            implements NamespaceReply {
        /** Of a file without patches. */
        public Located(FileStatus status, List<Extent> extents, List<LocatedGroup> groups) {
            this(status, extents, groups, Optional.empty());
        }

        public Located {
            Objects.requireNonNull(patches, "patches");
            Objects.requireNonNull(status, "status");
            extents = List.copyOf(extents);
            groups = List.copyOf(groups);
        }
    }

    /** @param answers for the first of the files that were asked for, at least one, in their order */
    record LocatedAll(List<Answer> answers) implements NamespaceReply {
        /** Location of a file, or the failure to give it: exactly one of them. */
        public record Answer(Optional<Located> located, Optional<Failure> failure) {
            public Answer {
                if (located.isPresent() == failure.isPresent()) {
                    throw new IllegalArgumentException("an answer is either places or a failure");
                }
            }

            public static Answer of(Located located) {
                return new Answer(Optional.of(located), Optional.empty());
            }

            public static Answer of(EcfsException failure) {
                return new Answer(Optional.empty(), Optional.of(Failure.of(failure)));
            }
        }

        public LocatedAll {
            answers = List.copyOf(answers);
            if (answers.isEmpty()) {
                throw new IllegalArgumentException("no answer for any file");
            }
        }
    }

    /** The policies an operator may choose from, the cluster's default first. */
    record Policies(Policy defaultPolicy, List<Policy> policies) implements NamespaceReply {
        public Policies {
            policies = List.copyOf(policies);
        }
    }

    record Space(long capacityBytes, long usedBytes, long freeBytes) implements NamespaceReply {}

    /** @param chunks of a new group that have a volume now */
    record Places(int chunks) implements NamespaceReply {}

    record Cluster(String clusterId, List<Address> namenodes) implements NamespaceReply {
        public Cluster {
            namenodes = List.copyOf(namenodes);
        }
    }

    record Report(ClusterReport report) implements NamespaceReply {}

    /** Oldest first; fewer than asked for: there are no more yet. */
    record Events(List<HistoryEvent> events) implements NamespaceReply {
        public Events {
            events = List.copyOf(events);
        }
    }

    /** Oldest first; fewer than asked for: there are no more. */
    record Incidents(List<Incident> incidents) implements NamespaceReply {
        public Incidents {
            incidents = List.copyOf(incidents);
        }
    }

    /** Fewer than asked for: there are no more. */
    record Repairs(List<RepairTrace> repairs) implements NamespaceReply {
        public Repairs {
            repairs = List.copyOf(repairs);
        }
    }

    /** @param next where to ask on; 0: that was all */
    record Problems(List<FileProblem> problems, long next) implements NamespaceReply {
        public Problems {
            problems = List.copyOf(problems);
        }
    }

    /**
     * @param next groups up to this number are in this page or before it; 0: that was all
     * @param cleanBelow live share below which packs are cleaned; empty from a namenode of an earlier release, as the
     *     next
     * @param deadShare of the bytes of all packs that must be dead for it
     */
    record Packs(List<PackUse> packs, long next, Optional<Double> cleanBelow, Optional<Double> deadShare)
            implements NamespaceReply {
        public Packs {
            packs = List.copyOf(packs);
            Objects.requireNonNull(cleanBelow, "cleanBelow");
            Objects.requireNonNull(deadShare, "deadShare");
        }
    }

    /**
     * @param next where to ask on; empty: that was all
     * @param complete false: the leader has not compared all reported chunks with the facts yet, or there are more than
     *     it remembers
     */
    record Orphans(List<OrphanChunk> chunks, Optional<NamespaceRequest.FindOrphans.Place> next, boolean complete)
            implements NamespaceReply {
        public Orphans {
            chunks = List.copyOf(chunks);
            Objects.requireNonNull(next, "next");
        }
    }

    /**
     * @param entries that match, in the order of the walk
     * @param next where to ask on; empty: that was all
     * @param examined names of this page, matching or not
     * @param denied directories of this page that were skipped: not listable by the caller, or paths below too long
     */
    record Found(List<FileStatus> entries, Optional<FilePath> next, int examined, int denied)
            implements NamespaceReply {
        public Found {
            entries = List.copyOf(entries);
            Objects.requireNonNull(next, "next");
        }
    }

    /** @param files one for each group that was asked for, in that order */
    record GroupFiles(List<GroupFile> files) implements NamespaceReply {
        public GroupFiles {
            files = List.copyOf(files);
        }
    }

    /**
     * @param lines the latest first, each with the place where it begins
     * @param next place to go on from towards older lines; empty: there is none
     * @param reached first characters, with the time, of the oldest line that was examined; empty for none
     */
    record AuditLines(List<Line> lines, Optional<AuditPlace> next, String reached) implements NamespaceReply {
        /** @param text without its newline */
        public record Line(AuditPlace place, String text) {
            public Line {
                Objects.requireNonNull(place, "place");
                Objects.requireNonNull(text, "text");
            }
        }

        public AuditLines {
            lines = List.copyOf(lines);
            Objects.requireNonNull(next, "next");
            Objects.requireNonNull(reached, "reached");
        }
    }

    record Balanced(BalanceReport report) implements NamespaceReply {}

    record ConversionBegun(long job) implements NamespaceReply {}

    /** The latest last; of those that ended the latest alone. */
    record Conversions(List<Conversion> conversions) implements NamespaceReply {
        public Conversions {
            conversions = List.copyOf(conversions);
        }
    }

    /** @param from the directory that has them; empty where no directory has rules */
    record ConversionRules(Optional<FilePath> from, List<ConversionRule> rules) implements NamespaceReply {
        public ConversionRules {
            Objects.requireNonNull(from, "from");
            rules = List.copyOf(rules);
        }
    }

    record Loads(LoadReport report) implements NamespaceReply {}

    record Writes(WriteReport report) implements NamespaceReply {}

    record ReadMost(HotGroups groups) implements NamespaceReply {}

    record Moves(MoverReport report) implements NamespaceReply {}

    /**
     * @param releaseLevel up to which feature level its release reads
     * @param hash of its facts after the entry in question; empty when it has not applied that, or does not know any
     *     more
     * @param proved whether it and who asks have proved the join token to each other; releases of level 1 do not say
     */
    record NamenodeState(
            int releaseLevel, int levelInForce, long appliedIndex, Optional<Long> hash, Optional<Boolean> proved)
            implements NamespaceReply {
        public NamenodeState {
            Objects.requireNonNull(proved, "proved");
            Objects.requireNonNull(hash, "hash");
        }
    }

    record LevelsInForce(ClusterReport.Levels levels) implements NamespaceReply {}

    /** In the order of their names. */
    record Rings(List<RingState> rings) implements NamespaceReply {
        public Rings {
            rings = List.copyOf(rings);
        }
    }

    record ThrottlesInForce(Throttles throttles) implements NamespaceReply {}

    record SummedGroups(GroupSums sums) implements NamespaceReply {}

    /**
     * Result of one page of a check.
     *
     * @param checked sealed groups that were examined, each once in all pages
     * @param open groups that are being written there, of which the check says nothing
     * @param unreadable groups that would not have enough chunks to be read
     * @param withoutSpare groups that could be read and not lose another chunk
     * @param problems the first of both kinds in this page
     * @param nextVolume where to ask on; 0: that was all
     */
    record StopChecked(
            long checked,
            long open,
            long unreadable,
            long withoutSpare,
            List<StopProblem> problems,
            int nextVolume,
            long nextGroup)
            implements NamespaceReply {
        public static final int MAX_PROBLEMS = 100;

        public StopChecked {
            problems = List.copyOf(problems);
        }
    }
}
