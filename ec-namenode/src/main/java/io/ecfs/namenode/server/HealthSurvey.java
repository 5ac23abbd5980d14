package io.ecfs.namenode.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.ChunkChange;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.report.DamageLedger;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the sealed groups that are not whole, on every namenode, whether it leads or follows: so a new leader compares
 * nothing. What a chunk is worth follows from the facts, the reports and whether its volume serves; when one of the
 * three changes, what it touches is looked at again, as all three are then, so that their order does not matter:
 *
 * <pre>
 *   an entry was applied       --ChangeQueue--&gt; the groups it wrote, the chunks it took from their places
 *   a chunk was reported       ---------------&gt; that chunk
 *   a volume began or ceased
 *   to serve, or reported all  ---------------&gt; its chunks in the facts, page by page
 *   start, checkpoint installed, queue too long: all volumes, all groups; until that is done nothing is known ({@link #firstPassDone})
 * </pre>
 *
 * Work is done in slices, so that nothing else waits for it. Owner thread: the namenode's event thread.
 */
final class HealthSurvey {
    private static final Logger LOG = LoggerFactory.getLogger(HealthSurvey.class);

    /** Chunks or groups of one slice: a few milliseconds. */
    private static final int SLICE = 400;

    /** Names from the queue in one slice; each is a whole group. */
    private static final int CHANGED = 100;

    /** @param open being written, in none of the others */
    record Counts(long healthy, long degraded, long lost, long open) {
        long sealed() {
            return healthy + degraded + lost;
        }
    }

    /** A volume that is being compared, done up to a chunk. */
    private record Comparison(VolumeId volume, Optional<StoredChunk> after) {}

    private final Surroundings around;
    private final Runnable found;
    private final ChangeQueue changes;
    private final LedgerCheck check;
    private final TreeSet<VolumeId> changed = new TreeSet<>();
    private final TreeMap<VolumeId, Boolean> serving = new TreeMap<>();
    private DamageLedger ledger;
    private Optional<Comparison> current = Optional.empty();
    private Optional<GroupId> nextGroup = Optional.of(new GroupId(1));
    private long actingSinceMillis;
    private long lookedMillis;
    private boolean firstPassDone;
    private boolean scheduled;
    private boolean stopped;

    /** @param found is called whenever a stretch of a volume was compared and lacks chunks */
    HealthSurvey(Surroundings around, Runnable found) {
        this.around = around;
        this.found = found;
        this.ledger = new DamageLedger(around::nowMillis);
        this.changes = new ChangeQueue(() -> around.scheduler().execute(this::changesArrived));
        this.check = new LedgerCheck(around, this);
    }

    /** Follows this state from now on: first it is listened to, then all is compared, so that no entry falls between. */
    void follow(MetadataState state) {
        state.listen(changes);
        changes.replaced();
    }

    void stop() {
        stopped = true;
    }

    /** A leader's term began: it acts on damage as if it had noticed it no earlier than now. */
    void termBegan() {
        actingSinceMillis = around.nowMillis();
    }

    /** Notices volumes that are new, or began or ceased to serve. */
    void tick() {
        around.topology().refresh();
        lookAtVolumes();
        schedule();
    }

    /** Recounts a few groups, to be sure; before a {@link #tick}, which would notice what else was to be noticed. */
    void recountSome() {
        Unnoticed unnoticed = unnoticed();
        if (!unnoticed.forgotten().isEmpty()) {
            LOG.error("event=volumes_not_noticed volumes={}", unnoticed.forgotten());
        } else if (!unnoticed.inTime() && settled()) {
            try (MetadataView view = around.facts().get()) {
                check.some(view);
            }
        }
    }

    /**
     * Volumes that serve now and did not when that was last noticed, or the other way round.
     *
     * @param inTime some changed because time passed, which only {@link #tick} notices
     * @param forgotten those that changed for another reason: a report or an entry, whose effect was to be noticed with it
     */
    private record Unnoticed(boolean inTime, Set<VolumeId> forgotten) {}

    private Unnoticed unnoticed() {
        long now = around.nowMillis();
        boolean inTime = false;
        Set<VolumeId> forgotten = new TreeSet<>();
        for (VolumeId volume : List.copyOf(around.topology().volumes())) {
            boolean noticed = serving.getOrDefault(volume, false);
            if (firstPassDone && !changed.contains(volume) && around.serving(volume, now) != noticed) {
                if (around.serving(volume, lookedMillis) == noticed) {
                    inTime = true;
                } else {
                    forgotten.add(volume);
                }
            }
        }
        return new Unnoticed(inTime, forgotten);
    }

    private void lookAtVolumes() {
        lookedMillis = around.nowMillis();
        List.copyOf(around.topology().volumes()).forEach(this::serves);
    }

    /**
     * Whether the volume serves now. Every look is remembered, and one that tells another answer than the look before
     * has the volume compared anew: what was noted while it did not serve must not outlive that, however short it was.
     */
    boolean serves(VolumeId volume) {
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

    /** One chunk was reported, or its absence. */
    void reported(MetadataView view, ChunkChange change) {
        if (change instanceof ChunkChange.Present present) {
            lookAt(view, present.volume(), present.record().chunk());
        } else if (change instanceof ChunkChange.Gone gone) {
            lookAt(view, gone.volume(), gone.chunk());
        } else if (change instanceof ChunkChange.Fenced fenced) {
            lookAt(view, fenced.volume(), fenced.record().chunk());
        }
    }

    private void lookAt(MetadataView view, VolumeId volume, ChunkId chunk) {
        around.sealed(view, chunk.group())
                .filter(group -> group.volumeOf(chunk).equals(Optional.of(volume)))
                .ifPresent(group -> note(view, group, new StoredChunk(volume, chunk)));
    }

    /**
     * What a group lacks: index to when that was first noted, but not before this leader's term began; monotonic
     * milliseconds.
     */
    Map<Integer, Long> lacking(GroupId group) {
        Map<Integer, Long> lacking = new LinkedHashMap<>();
        ledger.lacking(group).forEach((index, since) -> lacking.put(index, Math.max(since, actingSinceMillis)));
        return lacking;
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
        return firstPassDone && upToDate() && compared && !ledger.notedOn(volume);
    }

    /** Whether no group is known that lacks a chunk since it was sealed. */
    boolean complete() {
        return firstPassDone && upToDate() && !ledger.notedAbsent();
    }

    /** Whether everything was compared once since the start, or since all facts were replaced. */
    boolean firstPassDone() {
        return firstPassDone;
    }

    /**
     * Whether the counts leave out nothing that is known: no change of facts, reports or volumes waits to be looked at.
     */
    boolean settled() {
        return upToDate() && firstPassDone && !comparing();
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
        boolean unused = upToDate();
        try (MetadataView view = around.facts().get()) {
            long sealed = view.count(Counter.SEALED_GROUPS);
            DamageLedger.Counts damage = ledger.counts();
            long healthy = Math.max(0, sealed - damage.degraded() - damage.lost());
            return new Counts(healthy, damage.degraded(), damage.lost(), view.count(Counter.OPEN_GROUPS));
        }
    }

    /** Compares the ledger with a recount of everything, and changes nothing of what was noticed. */
    LedgerAudit audit() {
        Unnoticed unnoticed = unnoticed();
        if (!unnoticed.forgotten().isEmpty()) {
            return new LedgerAudit(
                    true, Optional.of("nothing noticed that these volumes serve or not: " + unnoticed.forgotten()));
        }
        if (unnoticed.inTime() || !settled()) {
            return LedgerAudit.UNSETTLED;
        }
        try (MetadataView view = around.facts().get()) {
            return new LedgerAudit(true, check.all(view));
        }
    }

    DamageLedger ledger() {
        return ledger;
    }

    /** Notes of a group exactly what it lacks. */
    void lookAt(MetadataView view, GroupId id) {
        Optional<GroupFacts> group = around.sealed(view, id);
        group.ifPresent(facts -> {
            facts.stored().forEach(stored -> note(view, facts, stored));
            noteAbsent(view, facts);
        });
        if (group.isEmpty()) {
            ledger.noteAbsent(id, Set.of(), policies(view));
        }
    }

    private void note(MetadataView view, GroupFacts group, StoredChunk stored) {
        boolean live = serves(stored.volume()) && around.reportedWhole(group, stored);
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

    private void changesArrived() {
        if (!stopped && !scheduled) { // a step that is scheduled finds them
            step();
            schedule();
        }
    }

    private void schedule() {
        if (!(comparing() || !changes.isEmpty()) || scheduled || stopped) {
            return;
        }
        scheduled = true;
        around.scheduler().execute(() -> {
            scheduled = false;
            if (!stopped) {
                step();
                schedule();
            }
        });
    }

    /** Whether volumes or groups wait to be compared. */
    boolean comparing() {
        return !changed.isEmpty() || current.isPresent() || nextGroup.isPresent();
    }

    private void step() {
        if (changes.takeEverything()) {
            beginAnew();
        }
        takeChanges();
        try (MetadataView view = around.facts().get()) {
            if (current.isEmpty() && !changed.isEmpty()) {
                current = Optional.of(nextComparison());
            }
            if (current.isPresent()) {
                compare(view, current.get());
            } else if (nextGroup.isPresent()) {
                sweepGroups(view, nextGroup.get());
            }
        }
        firstPassDone |= !comparing();
    }

    private void beginAnew() {
        ledger = new DamageLedger(around::nowMillis);
        firstPassDone = false;
        current = Optional.empty();
        nextGroup = Optional.of(new GroupId(1));
        around.topology().refresh();
        lookAtVolumes();
        changed.addAll(around.topology().volumes());
    }

    /** Whether all that entries changed is noted, after a slice of it was. */
    private boolean upToDate() {
        takeChanges();
        return changes.isEmpty();
    }

    private void takeChanges() {
        if (changes.isEmpty()) {
            return;
        }
        ChangeQueue.Batch batch = changes.take(CHANGED);
        try (MetadataView view = around.facts().get()) {
            for (StoredChunk stored : batch.unplaced()) {
                if (ledger.noted(stored.volume(), stored.chunk()) && !placed(view, stored)) {
                    ledger.noteChunk(stored.volume(), stored.chunk(), false, policies(view));
                }
            }
            batch.groups().forEach(group -> lookAt(view, group));
        }
    }

    private boolean placed(MetadataView view, StoredChunk stored) {
        return around.sealed(view, stored.chunk().group())
                .flatMap(group -> group.volumeOf(stored.chunk()))
                .equals(Optional.of(stored.volume()));
    }

    /** Those that serve first: what lies on the others is noted only when waiting for their reports brought nothing. */
    private Comparison nextComparison() {
        VolumeId next = changed.stream()
                .filter(volume -> Boolean.TRUE.equals(serving.get(volume)))
                .findFirst()
                .orElseGet(changed::first);
        changed.remove(next);
        return new Comparison(next, Optional.empty());
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
                        .filter(group -> !around.reportedWhole(group, stored))
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
