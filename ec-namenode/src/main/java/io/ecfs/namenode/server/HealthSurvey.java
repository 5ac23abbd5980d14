package io.ecfs.namenode.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.report.DamageLedger;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the sealed groups that are not whole, on the leader. After a change of leader it compares every volume's reports with the
 * index of chunks by volume, and looks at every group once for indices without a chunk; from then on it looks only at what changed:
 * a volume that came, went or reported in full, a chunk that was reported, a group that was sealed. Work is done in slices, so that
 * nothing else waits for it. Owner thread: the namenode's event thread.
 */
final class HealthSurvey {
    private static final int SLICE = 1_000;

    /** @param open being written, in none of the others */
    record Counts(long healthy, long degraded, long lost, long open) {
        long sealed() {
            return healthy + degraded + lost;
        }
    }

    /** A volume that is being compared, done up to a chunk. */
    private record Comparison(VolumeId volume, Optional<StoredChunk> after) {}

    private final Surroundings around;
    private final DamageLedger ledger;
    private final Runnable found;
    private final TreeSet<VolumeId> changed = new TreeSet<>();
    private final TreeMap<VolumeId, Boolean> serving = new TreeMap<>();
    private Optional<Comparison> current = Optional.empty();
    private Optional<GroupId> nextGroup = Optional.of(new GroupId(1));
    /** Where looking for noted groups that are gone goes on. */
    private Optional<GroupId> nextNoted = Optional.empty();

    private boolean firstPassDone;
    private boolean scheduled;
    private boolean stopped;

    /** @param found is told whenever a stretch of a volume was compared and lacks chunks */
    HealthSurvey(Surroundings around, Runnable found) {
        this.around = around;
        this.found = found;
        this.ledger = new DamageLedger(around::nowMillis);
    }

    void stop() {
        stopped = true;
    }

    /** Notices volumes that are new, or began or ceased to serve. */
    void tick() {
        List.copyOf(around.topology().volumes()).forEach(this::serves);
        schedule();
    }

    /**
     * Whether the volume serves now. Every look is remembered, and one that tells another answer than the look before has the volume
     * compared anew: what was noted while it did not serve must not outlive that, however short it was.
     */
    private boolean serves(VolumeId volume) {
        boolean now = around.serving(volume);
        Boolean before = serving.put(volume, now);
        if (before == null || before != now) {
            volumeChanged(volume);
        }
        return now;
    }

    /** The volume's state or its whole content changed. */
    void volumeChanged(VolumeId volume) {
        changed.add(volume);
        current = current.filter(c -> !c.volume().equals(volume));
        schedule();
    }

    void datanodeChanged(DatanodeId datanode) {
        around.topology()
                .datanode(datanode)
                .ifPresent(facts -> facts.volumes().values().forEach(this::serves));
    }

    /** One chunk was reported. */
    void chunkChanged(MetadataView view, VolumeId volume, ChunkId chunk) {
        around.sealed(view, chunk.group())
                .filter(group -> group.volumeOf(chunk).equals(Optional.of(volume)))
                .ifPresent(group -> note(view, group, new StoredChunk(volume, chunk)));
    }

    /** A group was sealed, or its chunks changed. */
    void groupChanged(GroupId id) {
        try (MetadataView view = around.facts().get()) {
            around.sealed(view, id).ifPresent(group -> {
                group.stored().forEach(stored -> note(view, group, stored));
                noteAbsent(view, group);
            });
        }
    }

    /** Groups may be gone: what was noted of those that are is dropped. */
    void groupsDeleted() {
        nextNoted = Optional.of(new GroupId(1));
        schedule();
    }

    /** Not all at once: with a volume out, very many groups are noted. */
    private void sweepNoted(MetadataView view, GroupId first) {
        List<GroupId> noted = ledger.damagedFrom(first, SLICE);
        noted.stream().filter(group -> view.group(group).isEmpty()).forEach(ledger::forget);
        nextNoted = noted.size() < SLICE
                ? Optional.empty()
                : Optional.of(new GroupId(noted.get(noted.size() - 1).value() + 1));
    }

    /** The facts no longer count on this chunk: whatever is wrong with it. */
    void replaced(StoredChunk old) {
        ledger.noteChunk(old.volume(), old.chunk(), false, group -> Optional.empty());
    }

    /** What a group lacks: index to when that was first noted, monotonic milliseconds. */
    Map<Integer, Long> lacking(GroupId group) {
        return ledger.lacking(group);
    }

    /** Damaged groups that can be repaired, most urgent first. */
    List<DamageLedger.Urgency> urgent(Optional<DamageLedger.Urgency> after, int limit) {
        return ledger.urgent(after, limit);
    }

    /** Damaged groups in order, from {@code first} on: those that are lost, or all. */
    List<GroupId> damagedFrom(boolean lost, GroupId first, int limit) {
        return lost ? ledger.lostFrom(first, limit) : ledger.damagedFrom(first, limit);
    }

    boolean lost(GroupId group) {
        return ledger.lost(group);
    }

    /** Whether a chunk that the facts place on the volume is known not to be there. */
    boolean damaged(VolumeId volume) {
        return ledger.notedOn(volume);
    }

    /** Whether every chunk that the facts place on the volume is known to be there. */
    boolean clean(VolumeId volume) {
        boolean compared = !changed.contains(volume)
                && current.filter(c -> c.volume().equals(volume)).isEmpty()
                && Boolean.valueOf(around.serving(volume)).equals(serving.get(volume));
        return firstPassDone && compared && !ledger.notedOn(volume);
    }

    /** Whether no group is known that lacks a chunk since it was sealed. */
    boolean complete() {
        return firstPassDone && !ledger.notedAbsent();
    }

    boolean firstPassDone() {
        return firstPassDone;
    }

    /** @throws EcfsException {@code SAFE_MODE} while not all damage is known */
    void requireFirstPass() throws EcfsException {
        if (!firstPassDone) {
            throw new EcfsException(
                    ErrorCode.SAFE_MODE,
                    "the namenode has not yet compared all that the datanodes hold with what they should: try again");
        }
    }

    /** See {@link DamageLedger#degradedBySpare}. */
    List<Long> degradedBySpare() {
        return ledger.degradedBySpare();
    }

    Counts counts() {
        try (MetadataView view = around.facts().get()) {
            long sealed = view.count(Counter.SEALED_GROUPS);
            DamageLedger.Counts damage = ledger.counts();
            long healthy = Math.max(0, sealed - damage.degraded() - damage.lost());
            return new Counts(healthy, damage.degraded(), damage.lost(), view.count(Counter.OPEN_GROUPS));
        }
    }

    private void note(MetadataView view, GroupFacts group, StoredChunk stored) {
        boolean live = serves(stored.volume()) && around.live(group, stored);
        ledger.noteChunk(stored.volume(), stored.chunk(), !live, policies(view));
    }

    private void noteAbsent(MetadataView view, GroupFacts group) {
        Set<Integer> absent = IntStream.range(0, group.places().size())
                .filter(i -> group.places().get(i).volume().isEmpty())
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
        ledger.noteAbsent(group.group(), absent, policies(view));
    }

    private Function<GroupId, Optional<Policy>> policies(MetadataView view) {
        return group -> around.sealed(view, group).map(GroupFacts::policy);
    }

    private void schedule() {
        boolean work = !changed.isEmpty() || current.isPresent() || nextGroup.isPresent() || nextNoted.isPresent();
        if (work && !scheduled && !stopped) {
            scheduled = true;
            around.scheduler().execute(() -> {
                scheduled = false;
                if (!stopped) {
                    step();
                    schedule();
                }
            });
        }
        firstPassDone |= !work;
    }

    private void step() {
        try (MetadataView view = around.facts().get()) {
            if (current.isEmpty() && !changed.isEmpty()) {
                current = Optional.of(new Comparison(changed.pollFirst(), Optional.empty()));
            }
            if (current.isPresent()) {
                compare(view, current.get());
            } else if (nextGroup.isPresent()) {
                sweepGroups(view, nextGroup.get());
            } else if (nextNoted.isPresent()) {
                sweepNoted(view, nextNoted.get());
            }
        }
    }

    private void compare(MetadataView view, Comparison comparison) {
        VolumeId volume = comparison.volume();
        boolean serves = serves(volume);
        List<StoredChunk> page = view.chunksOn(volume, comparison.after(), SLICE);
        Set<ChunkId> damaged = page.stream()
                .filter(stored -> !serves || !live(view, stored))
                .map(StoredChunk::chunk)
                .collect(Collectors.toCollection(TreeSet::new));
        Optional<StoredChunk> last = page.size() < SLICE ? Optional.empty() : Optional.of(page.get(page.size() - 1));
        ledger.noteStretch(
                volume,
                comparison.after().map(StoredChunk::chunk),
                last.map(StoredChunk::chunk),
                damaged,
                policies(view));
        current = last.map(chunk -> new Comparison(volume, Optional.of(chunk)));
        if (!damaged.isEmpty()) {
            found.run();
        }
    }

    private boolean live(MetadataView view, StoredChunk stored) {
        return around.catalog().find(stored.volume(), stored.chunk()).isPresent()
                && around.sealed(view, stored.chunk().group())
                        .filter(group -> !around.live(group, stored))
                        .isEmpty();
    }

    private void sweepGroups(MetadataView view, GroupId first) {
        int[] seen = new int[1];
        nextGroup = Optional.empty();
        view.groups(first, group -> {
            if (!group.open()) {
                noteAbsent(view, group);
            }
            if (++seen[0] == SLICE) {
                nextGroup = Optional.of(new GroupId(group.group().value() + 1));
            }
            return nextGroup.isEmpty();
        });
    }
}
