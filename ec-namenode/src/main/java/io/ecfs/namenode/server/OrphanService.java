package io.ecfs.namenode.server;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles chunks that datanodes report and the facts do not place there, on the leader: adopts one that a sealed group lacks, calls
 * garbage what is proven to be of no use, and keeps everything that is in doubt. What is kept is looked at again from time to time,
 * since the facts may settle it later. Owner thread: the namenode's event thread.
 */
final class OrphanService {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanService.class);
    private static final int SLICE = 1000;
    private static final int MAX_KEPT = 100_000;
    private static final int MAX_PROPOSED = 200;

    /** What the facts say about a reported chunk. */
    sealed interface Verdict {
        /** The facts place it there, or call it garbage already. */
        record Settled() implements Verdict {}

        /** In doubt: it stays. */
        record Keep() implements Verdict {}

        record Adopt(StoredChunk chunk, int stamp, long groupLength) implements Verdict {}

        /** @param proof live chunks of its group that make it superfluous; none when the group is gone */
        record Garbage(StoredChunk chunk, int stamp, List<ChunkId> proof) implements Verdict {}
    }

    private final Surroundings around;
    private final Proposer proposer;
    private final Predicate<StoredChunk> beingRebuilt;
    /** Volumes to walk through, with the chunk where the walk has come to. */
    private final TreeMap<VolumeId, Optional<ChunkId>> walks = new TreeMap<>();

    private final TreeSet<StoredChunk> kept = new TreeSet<>();
    private final TreeSet<StoredChunk> proposed = new TreeSet<>();
    /** Behind which looking again at the kept ones goes on; empty: at the first. */
    private Optional<StoredChunk> lastLook = Optional.empty();

    /** A complaint is asked about, or made: one is enough for a term. */
    private boolean complained;

    /** @param beingRebuilt chunks that a repair is to publish */
    OrphanService(Surroundings around, Proposer proposer, Predicate<StoredChunk> beingRebuilt) {
        this.around = around;
        this.proposer = proposer;
        this.beingRebuilt = beingRebuilt;
    }

    /** The volume has reported in full. */
    void reportedFully(VolumeId volume) {
        walks.put(volume, Optional.empty());
    }

    void reported(MetadataView view, VolumeId volume, ChunkRecord record) {
        examine(view, volume, record);
    }

    /** Has a chunk looked at soon that the facts have just let go. */
    void letGo(StoredChunk stored) {
        keep(stored);
    }

    /** Goes on with one walk; without any, looks at a few of the kept ones again. */
    void tick() {
        try (MetadataView view = around.facts().get()) {
            if (walks.isEmpty()) {
                lookAgain(view);
                return;
            }
            VolumeId volume = walks.firstKey();
            List<ChunkRecord> page =
                    around.catalog().after(volume, walks.get(volume).orElse(null), SLICE);
            page.forEach(record -> examine(view, volume, record));
            if (page.size() < SLICE) {
                walks.remove(volume);
            } else {
                walks.put(volume, Optional.of(page.get(page.size() - 1).chunk()));
            }
        }
    }

    private void lookAgain(MetadataView view) {
        List<StoredChunk> some = lastLook.map(last -> kept.tailSet(last, false)).orElse(kept).stream()
                .limit(SLICE)
                .toList();
        lastLook = some.size() < SLICE ? Optional.empty() : Optional.of(some.get(some.size() - 1));
        for (StoredChunk stored : some) {
            kept.remove(stored);
            around.catalog()
                    .find(stored.volume(), stored.chunk())
                    .ifPresent(record -> examine(view, stored.volume(), record));
        }
    }

    private void examine(MetadataView view, VolumeId volume, ChunkRecord record) {
        StoredChunk stored = new StoredChunk(volume, record.chunk());
        if (proposed.contains(stored)) {
            return;
        }
        Verdict verdict = verdict(view, stored, record);
        if (verdict instanceof Verdict.Adopt adopt) {
            propose(
                    stored,
                    new Command.AdoptChunk(
                            around.epochMillis(), stored, adopt.groupLength(), Optional.of(adopt.stamp())));
        } else if (verdict instanceof Verdict.Garbage garbage) {
            propose(
                    stored,
                    new Command.MarkGarbage(
                            around.epochMillis(), stored, garbage.proof(), Optional.of(garbage.stamp())));
        } else if (verdict instanceof Verdict.Keep) {
            keep(stored);
        }
    }

    Verdict verdict(MetadataView view, StoredChunk stored, ChunkRecord record) {
        Optional<GroupFacts> found = view.group(stored.chunk().group());
        if (found.isEmpty()) {
            OptionalInt stamp = view.stampOf(stored.chunk().group());
            if (stamp.isEmpty() || stamp.getAsInt() != record.stamp()) {
                complain(stored, record);
                return new Verdict.Keep();
            }
            return view.isGarbage(stored)
                    ? new Verdict.Settled()
                    : new Verdict.Garbage(stored, record.stamp(), List.of());
        }
        GroupFacts group = found.get();
        if (group.stamp() != record.stamp()) {
            complain(stored, record);
            return new Verdict.Keep();
        }
        if (view.isGarbage(stored)) {
            return new Verdict.Settled();
        }
        if (group.open() || stored.chunk().index() >= group.policy().chunks()) {
            return new Verdict.Keep(); // an open group is given places, which it may be sealed without
        }
        if (group.volumeOf(stored.chunk()).equals(Optional.of(stored.volume()))) {
            return new Verdict.Settled();
        }
        if (beingRebuilt.test(stored) || awaitsRepair(view, group, stored)) {
            return new Verdict.Keep();
        }
        boolean absent = group.places().get(stored.chunk().index()).volume().isEmpty();
        boolean current = group.chunk(stored.chunk().index()).equals(stored.chunk());
        if (absent && current && Surroundings.whole(group, record)) {
            return record.state() == ChunkState.FINALISED
                    ? new Verdict.Adopt(stored, record.stamp(), group.length())
                    : new Verdict.Keep();
        }
        return superfluous(group, stored);
    }

    /** An earlier leader had it rebuilt, and its group still lacks it: this leader's repair will find it. */
    private boolean awaitsRepair(MetadataView view, GroupFacts group, StoredChunk stored) {
        int index = stored.chunk().index();
        return !around.live(group, index)
                && view.repair(group.group(), index)
                        .filter(attempt -> attempt.brings(stored))
                        .isPresent();
    }

    private Verdict superfluous(GroupFacts group, StoredChunk stored) {
        List<ChunkId> live = group.stored().stream()
                .filter(other -> around.live(group, other))
                .map(StoredChunk::chunk)
                .toList();
        ChunkSet indexes = ChunkSet.of(live.stream().map(ChunkId::index).toList());
        return group.policy().code().redundant(indexes)
                ? new Verdict.Garbage(stored, group.stamp(), live)
                : new Verdict.Keep();
    }

    private void propose(StoredChunk stored, Command command) {
        if (proposed.size() >= MAX_PROPOSED) {
            keep(stored);
            return;
        }
        proposed.add(stored);
        LOG.info(
                "event=orphan_chunk chunk={} verdict={}",
                stored,
                command.getClass().getSimpleName());
        proposer.propose(command, (applied, failure) -> {
            proposed.remove(stored);
            if (failure != null) {
                LOG.debug("event=orphan_refused chunk={} reason=\"{}\"", stored, failure.getMessage());
                keep(stored);
            }
        });
    }

    private void keep(StoredChunk stored) {
        if (kept.size() < MAX_KEPT) {
            kept.add(stored);
        }
    }

    /**
     * Only what the log confirms is worth an alarm: a leader that is deposed without knowing it misses the newest groups. A corrupt chunk
     * may have lost its header and with it the stamp; its datanode has raised the alarm.
     */
    private void complain(StoredChunk stored, ChunkRecord record) {
        if (complained || record.state() == ChunkState.CORRUPT) {
            return;
        }
        complained = true;
        int stamp = record.stamp();
        proposer.read(() -> allocated(stored.chunk().group(), stamp), (allocated, failure) -> {
            complained = failure == null && !allocated;
            if (complained) {
                LOG.error(
                        "event=foreign_chunk chunk={} stamp={} reason=\"its group was never allocated here: the chunk is"
                                + " kept; is the volume of another cluster, or is this namenode's state older than the"
                                + " volume?\"",
                        stored,
                        Integer.toHexString(stamp));
            }
        });
    }

    private boolean allocated(GroupId group, int stamp) {
        try (MetadataView view = around.facts().get()) {
            return view.stampOf(group).equals(OptionalInt.of(stamp));
        }
    }
}
