package io.ecfs.namenode.deletion;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.OrphanChunk;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.scrub.Replacements;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves chunks that datanodes report and the facts do not place there, on the leader: adopts one that a sealed group
 * lacks, calls garbage what is proven to be of no use, and retains the rest. Retained chunks are checked again from
 * time to time, since the facts may decide about them later. Owner thread: the namenode's event thread.
 */
public final class OrphanService {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanService.class);
    private static final int SLICE = 1000;
    private static final int MAX_RETAINED = 100_000;
    private static final int MAX_PROPOSED = 200;

    /** Result of checking a reported chunk against the facts. */
    sealed interface Verdict {
        /** The command that resolves the chunk; empty when there is none now. */
        default Optional<Command> command(long epochMillis, ChunkOnVolume stored) {
            return Optional.empty();
        }

        /** The facts place it there, or call it garbage already. */
        record Resolved() implements Verdict {}

        /** Retains a chunk in doubt. */
        record Keep() implements Verdict {}

        record Adopt(ChunkOnVolume chunk, int stamp, long groupLength) implements Verdict {
            @Override
            public Optional<Command> command(long epochMillis, ChunkOnVolume stored) {
                return Optional.of(new Command.AdoptChunk(epochMillis, stored, groupLength, Optional.of(stamp)));
            }
        }

        /** @param proof live chunks of its group that make it superfluous; none when the group is gone */
        record Garbage(ChunkOnVolume chunk, int stamp, List<ChunkId> proof) implements Verdict {
            @Override
            public Optional<Command> command(long epochMillis, ChunkOnVolume stored) {
                return Optional.of(new Command.MarkGarbage(epochMillis, stored, proof, Optional.of(stamp)));
            }
        }
    }

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final Proposer proposer;
    private final Predicate<ChunkOnVolume> beingRebuilt;
    private final Replacements replacements;
    private final NamelessChunks nameless;
    /** Volumes to scan, each with the last chunk that was scanned. */
    private final TreeMap<VolumeId, Optional<ChunkId>> walks = new TreeMap<>();

    private final TreeSet<ChunkOnVolume> retained = new TreeSet<>();
    private final TreeSet<ChunkOnVolume> proposed = new TreeSet<>();
    /** The last retained chunk that was checked again; empty: the next check begins at the first. */
    private Optional<ChunkOnVolume> lastChecked = Optional.empty();

    /** A report is being confirmed, or was logged: one a term is enough. */
    private boolean complained;

    /** @param beingRebuilt chunks that a repair is to publish */
    public OrphanService(
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            Predicate<ChunkOnVolume> beingRebuilt,
            Replacements replacements) {
        this.replacements = replacements;
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.beingRebuilt = beingRebuilt;
        this.nameless = new NamelessChunks(context, cluster);
    }

    /** Schedules a scan of a volume that has reported in full. */
    public void reportedFully(VolumeId volume) {
        walks.put(volume, Optional.empty());
    }

    public void reported(MetadataView view, VolumeId volume, ChunkRecord record) {
        examine(view, volume, record);
    }

    /** Schedules a check of a chunk that the facts no longer place. */
    public void onUnplaced(ChunkOnVolume stored) {
        keep(stored);
    }

    /** Checks a chunk again, about which something is known now. */
    public void checkAgain(MetadataView view, ChunkOnVolume stored) {
        retained.remove(stored);
        cluster.catalog()
                .find(stored.volume(), stored.chunk())
                .ifPresent(record -> examine(view, stored.volume(), record));
    }

    /**
     * Returns whether a volume still has a chunk that another one replaces: compared and garbage, or yet to be
     * compared.
     */
    public boolean replacedChunks(MetadataView view, VolumeId volume) {
        List<ChunkRecord> page = cluster.catalog().after(volume, null, SLICE);
        while (page.stream().noneMatch(record -> replaced(view, record))) {
            if (page.size() < SLICE) {
                return false;
            }
            page = cluster.catalog().after(volume, page.get(page.size() - 1).chunk(), SLICE);
        }
        return true;
    }

    /** A chunk of an unreadable group is excluded: it is retained whatever replaces it. */
    private boolean replaced(MetadataView view, ChunkRecord record) {
        return view.group(record.chunk().group())
                .filter(group -> group.stamp() == record.stamp())
                .filter(group -> group.policy().code().decodable(cluster.live(group)))
                .flatMap(group -> group.stored(record.chunk().index()))
                .filter(fresh -> fresh.chunk().generation() > record.chunk().generation())
                .isPresent();
    }

    /** A page of the retained chunks that belong to no group of the facts. */
    public NamespaceReply.Orphans list(MetadataView view, NamespaceRequest.FindOrphans find) {
        List<ChunkOnVolume> page = find
                .after()
                .map(after -> retained.tailSet(new ChunkOnVolume(after.volume(), after.chunk()), false))
                .orElse(retained)
                .stream()
                .limit(find.limit())
                .toList();
        List<OrphanChunk> found = new ArrayList<>();
        for (ChunkOnVolume stored : page) {
            Optional<ChunkRecord> record = cluster.catalog().find(stored.volume(), stored.chunk());
            record.flatMap(its -> whyUnplaced(view, stored, its))
                    .ifPresent(why -> found.add(orphan(stored, record.get(), why)));
        }
        return new NamespaceReply.Orphans(
                found,
                page.size() < find.limit()
                        ? Optional.empty()
                        : Optional.of(new NamespaceRequest.FindOrphans.Place(
                                page.get(page.size() - 1).volume(),
                                page.get(page.size() - 1).chunk())),
                walks.isEmpty() && retained.size() < MAX_RETAINED);
    }

    private OrphanChunk orphan(ChunkOnVolume stored, ChunkRecord record, String why) {
        return new OrphanChunk(
                cluster.topology()
                        .owner(stored.volume())
                        .map(owner -> owner.datanode().name())
                        .orElse(""),
                stored.volume(),
                stored.chunk(),
                record.stamp(),
                record.state(),
                record.bytes(),
                why);
    }

    /**
     * The reason why a retained chunk is no part of a group; empty for one of a group that is written or repaired now,
     * and for one that the facts decided about.
     */
    private Optional<String> whyUnplaced(MetadataView view, ChunkOnVolume stored, ChunkRecord record) {
        ChunkId chunk = stored.chunk();
        Optional<GroupFacts> found = view.group(chunk.group());
        if (found.isEmpty()) {
            OptionalInt stamp = view.stampOf(chunk.group());
            if (stamp.isEmpty()) {
                return Optional.of(
                        "group " + chunk.group() + " was never allocated by this cluster, or after the backup"
                                + " from which its namenodes were restored");
            }
            return stamp.getAsInt() == record.stamp()
                    ? Optional.empty()
                    : Optional.of("group " + chunk.group() + " was another one, and is deleted");
        }
        GroupFacts group = found.get();
        boolean placed = group.volumeOf(chunk).equals(Optional.of(stored.volume()));
        if (group.stamp() != record.stamp()) {
            return placed && record.state() == ChunkState.CORRUPT
                    ? Optional.empty()
                    : Optional.of("group " + chunk.group() + " is another one");
        }
        boolean unsettled = group.open()
                || chunk.index() >= group.policy().chunks()
                || beingRebuilt.test(stored)
                || awaitsRepair(view, group, stored);
        if (placed || unsettled) {
            return Optional.empty();
        }
        int generation = group.chunk(chunk.index()).generation();
        return Optional.of(
                chunk.generation() > generation
                        ? "the facts know generation " + generation
                                + " of it: it was moved or rebuilt after the backup from"
                                + " which the namenodes were restored"
                        : chunk.generation() < generation
                                ? "it is retained until it was compared with the chunk that stands in for it, and while"
                                        + " too few others of its group are alive"
                                : "its group has too few other chunks alive to let it go");
    }

    /** Continues one scan; without any, checks a few of the retained chunks again. */
    public void tick() {
        try (MetadataView view = context.facts().get()) {
            if (walks.isEmpty()) {
                checkRetained(view);
                return;
            }
            VolumeId volume = walks.firstKey();
            List<ChunkRecord> page =
                    cluster.catalog().after(volume, walks.get(volume).orElse(null), SLICE);
            page.forEach(record -> examine(view, volume, record));
            if (page.size() < SLICE) {
                walks.remove(volume);
            } else {
                walks.put(volume, Optional.of(page.get(page.size() - 1).chunk()));
            }
        }
    }

    private void checkRetained(MetadataView view) {
        List<ChunkOnVolume> some = lastChecked.map(last -> retained.tailSet(last, false)).orElse(retained).stream()
                .limit(SLICE)
                .toList();
        lastChecked = some.size() < SLICE ? Optional.empty() : Optional.of(some.get(some.size() - 1));
        for (ChunkOnVolume stored : some) {
            checkAgain(view, stored);
        }
    }

    private void examine(MetadataView view, VolumeId volume, ChunkRecord record) {
        ChunkOnVolume stored = new ChunkOnVolume(volume, record.chunk());
        if (proposed.contains(stored)) {
            return;
        }
        Verdict verdict = verdict(view, stored, record);
        verdict.command(context.epochMillis(), stored).ifPresent(command -> propose(stored, command));
        if (verdict instanceof Verdict.Keep) {
            keep(stored);
        }
    }

    Verdict verdict(MetadataView view, ChunkOnVolume stored, ChunkRecord record) {
        Optional<GroupFacts> found = view.group(stored.chunk().group());
        OptionalInt allocated = view.stampOf(stored.chunk().group());
        if (allocated.isEmpty() || !ofGroup(stored, record, allocated.getAsInt())) {
            if (allocated.isEmpty() || !NamelessChunks.nameless(record)) {
                complain(stored, record);
            }
            return new Verdict.Keep();
        }
        int stamp = allocated.getAsInt();
        if (found.isEmpty()) {
            return view.isGarbage(stored) ? new Verdict.Resolved() : new Verdict.Garbage(stored, stamp, List.of());
        }
        GroupFacts group = found.get();
        if (view.isGarbage(stored)) {
            return new Verdict.Resolved();
        }
        if (group.open() || stored.chunk().index() >= group.policy().chunks()) {
            return new Verdict.Keep(); // an open group is given places, which it may be sealed without
        }
        if (group.volumeOf(stored.chunk()).equals(Optional.of(stored.volume()))) {
            return new Verdict.Resolved();
        }
        if (beingRebuilt.test(stored) || awaitsRepair(view, group, stored)) {
            return new Verdict.Keep();
        }
        boolean absent = group.places().get(stored.chunk().index()).volume().isEmpty();
        boolean current = group.chunk(stored.chunk().index()).equals(stored.chunk());
        if (absent && current && group.isWhole(record)) {
            return record.state() == ChunkState.FINALISED
                    ? new Verdict.Adopt(stored, record.stamp(), group.length())
                    : new Verdict.Keep();
        }
        Verdict verdict = superfluous(group, stored);
        boolean garbage = verdict instanceof Verdict.Garbage;
        return garbage && !replacements.stoodInFor(view, group, stored, record) ? new Verdict.Keep() : verdict;
    }

    private boolean ofGroup(ChunkOnVolume stored, ChunkRecord record, int stamp) {
        return record.stamp() == stamp || (NamelessChunks.nameless(record) && nameless.attributable(stored, stamp));
    }

    /**
     * Returns whether an earlier leader had it rebuilt and its group still lacks it: this leader's repair will find it.
     */
    private boolean awaitsRepair(MetadataView view, GroupFacts group, ChunkOnVolume stored) {
        int index = stored.chunk().index();
        return !cluster.live(group, index)
                && view.repair(group.group(), index)
                        .filter(attempt -> attempt.produces(stored))
                        .isPresent();
    }

    private Verdict superfluous(GroupFacts group, ChunkOnVolume stored) {
        List<ChunkId> live = group.stored().stream()
                .filter(other -> cluster.live(group, other))
                .map(ChunkOnVolume::chunk)
                .toList();
        ChunkSet indexes = ChunkSet.of(live.stream().map(ChunkId::index).toList());
        return group.policy().code().redundant(indexes)
                ? new Verdict.Garbage(stored, group.stamp(), live)
                : new Verdict.Keep();
    }

    private void propose(ChunkOnVolume stored, Command command) {
        if (proposed.size() >= MAX_PROPOSED) {
            keep(stored);
            return;
        }
        proposed.add(stored);
        LOG.info(
                "event=orphan_chunk chunk={} verdict={}",
                stored,
                command.getClass().getSimpleName());
        proposer.propose(command, outcome -> {
            proposed.remove(stored);
            if (outcome instanceof Outcome.Failed<?> failed) {
                LOG.debug(
                        "event=orphan_refused chunk={} reason=\"{}\"",
                        stored,
                        failed.reason().getMessage());
                keep(stored);
            }
        });
    }

    private void keep(ChunkOnVolume stored) {
        if (retained.size() < MAX_RETAINED) {
            retained.add(stored);
        }
    }

    /**
     * Raises an alarm only about what the log confirms: a leader that is deposed without knowing it misses the newest
     * groups. A chunk whose header is lost is foreign only when its number was never allocated.
     */
    private void complain(ChunkOnVolume stored, ChunkRecord record) {
        if (complained) {
            return;
        }
        complained = true;
        int stamp = record.stamp();
        proposer.read(() -> allocated(stored.chunk().group(), record), outcome -> {
            complained = outcome instanceof Outcome.Done<Boolean> allocated && !allocated.result();
            if (complained) {
                LOG.error(
                        "event=foreign_chunk chunk={} stamp={} reason=\"its group was never allocated here: the chunk"
                                + " is retained; is the volume of another cluster, or is this namenode's state older"
                                + " than the volume?\"",
                        stored,
                        Integer.toHexString(stamp));
            }
        });
    }

    private boolean allocated(GroupId group, ChunkRecord record) {
        try (MetadataView view = context.facts().get()) {
            OptionalInt stamp = view.stampOf(group);
            return stamp.isPresent() && (NamelessChunks.nameless(record) || stamp.getAsInt() == record.stamp());
        }
    }
}
