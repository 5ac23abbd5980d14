package io.ecfs.namenode.health;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Maintains the index of damage on every namenode, whether it leads or follows: so a new leader compares nothing. What
 * a chunk is worth follows from the facts, the reports and whether its volume serves; when one of the three changes,
 * what it touches is compared again, and all three are read then, so that their order does not matter:
 *
 * <pre>
 *   an entry was applied       --ChangeQueue--&gt; the groups it wrote, the chunks it took from their places
 *   a chunk was reported       ---------------&gt; that chunk
 *   a volume began or ceased
 *   to serve, or reported all  ---------------&gt; its chunks in the facts, page by page
 *   start, checkpoint installed, queue too long: all volumes, all groups; until that is done nothing is known
 *                                                ({@link #firstPassDone})
 * </pre>
 *
 * Work is done in slices, so that nothing else waits for it. Owner thread: the namenode's event thread.
 */
public final class UnderReplicationFeed {
    /** Chunks or groups of one slice: a few milliseconds. */
    private static final int SLICE = 400;

    /** Names from the queue in one slice; each is a whole group. */
    private static final int CHANGED = 100;

    /** A volume that is being compared, done up to a chunk. */
    private record Comparison(VolumeId volume, Optional<ChunkOnVolume> after) {}

    /**
     * Volumes that serve now and did not when that was last noticed, or the other way round.
     * @param inTime some changed because time passed, which only {@link #tick} notices
     * @param forgotten those that changed for another reason: a report or an entry, which should have been noticed with
     *     it
     */
    record Unnoticed(boolean inTime, Set<VolumeId> forgotten) {}

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final Runnable found;
    private final ChangeQueue changes;
    private final AwaitedReports awaited = new AwaitedReports();
    private final TreeSet<VolumeId> changed = new TreeSet<>();
    private final TreeMap<VolumeId, Boolean> serving = new TreeMap<>();
    private UnderReplicationIndex index;
    private Optional<Comparison> current = Optional.empty();
    private Optional<GroupId> nextGroup = Optional.of(new GroupId(1));
    private long noticedMillis;
    private boolean firstPassDone;
    private boolean scheduled;
    private boolean stopped;

    /** @param found is called whenever a slice of a volume was compared and lacks chunks */
    public UnderReplicationFeed(NamenodeContext context, ClusterView cluster, Runnable found) {
        this.context = context;
        this.cluster = cluster;
        this.found = found;
        this.index = new UnderReplicationIndex(context::nowMillis);
        this.changes = new ChangeQueue(() -> context.scheduler().execute(this::changesArrived));
    }

    // What changes

    /** Follows this state: subscribes first and then compares everything, so that no entry is missed. */
    public void follow(MetadataState state) {
        state.listen(changes);
        changes.replaced();
    }

    public void stop() {
        stopped = true;
    }

    /** Notices volumes that are new, that began or ceased to serve, and overdue reports; drains some of the queue. */
    public void tick() {
        cluster.topology().refresh();
        noticeVolumes();
        drainChanges();
        noticeOverdue();
        schedule();
    }

    private void noticeVolumes() {
        noticedMillis = context.nowMillis();
        List.copyOf(cluster.topology().volumes()).forEach(this::notice);
    }

    private void noticeOverdue() {
        List<ChunkOnVolume> overdue = awaited.takeOverdue(context.nowMillis());
        if (overdue.isEmpty()) {
            return;
        }
        try (MetadataView view = context.facts().get()) {
            overdue.forEach(stored -> compareChunk(view, stored.volume(), stored.chunk()));
        }
        found.run();
    }

    /**
     * Returns whether the volume serves now. The result is stored, and when it differs from the one before the volume
     * is compared anew: what was noted while it did not serve must not outlive that time, however short.
     */
    private boolean notice(VolumeId volume) {
        boolean now = cluster.serving(volume);
        Boolean before = serving.put(volume, now);
        if (before == null || before != now) {
            volumeChanged(volume);
        }
        return now;
    }

    /** Compares a volume whose state or whole content changed. */
    public void volumeChanged(VolumeId volume) {
        changed.add(volume);
        current = current.filter(c -> !c.volume().equals(volume));
        schedule();
    }

    public void datanodeChanged(DatanodeId datanode) {
        cluster.topology()
                .datanode(datanode)
                .ifPresent(facts -> facts.volumes().values().forEach(this::notice));
    }

    /** Compares one chunk that was reported, or reported absent. */
    public void reported(MetadataView view, ChunkChange change) {
        change.reportedChunk().ifPresent(chunk -> compareChunk(view, change.volume(), chunk));
    }

    // State of the comparison

    UnderReplicationIndex index() {
        return index;
    }

    /** Returns whether everything was compared once since the start, or since all facts were replaced. */
    boolean firstPassDone() {
        return firstPassDone;
    }

    /** Returns whether all changes by entries are noted. */
    boolean upToDate() {
        return changes.isEmpty();
    }

    /** Returns whether the index is complete: no change of facts, reports or volumes waits to be compared. */
    boolean caughtUp() {
        return upToDate() && firstPassDone && !comparing();
    }

    /** Returns whether the chunk counts as there, although it was not reported yet. */
    boolean awaits(ChunkOnVolume chunk) {
        return awaited.contains(chunk);
    }

    /** Returns whether what is noted on the volume was compared with its present content, and that was reported. */
    boolean compared(VolumeId volume) {
        return !changed.contains(volume)
                && !awaited.anyOn(volume)
                && current.filter(c -> c.volume().equals(volume)).isEmpty()
                && Boolean.valueOf(cluster.serving(volume)).equals(serving.get(volume));
    }

    Unnoticed unnoticed() {
        long now = context.nowMillis();
        boolean inTime = false;
        Set<VolumeId> forgotten = new TreeSet<>();
        for (VolumeId volume : List.copyOf(cluster.topology().volumes())) {
            boolean noticed = serving.getOrDefault(volume, false);
            if (firstPassDone && !changed.contains(volume) && cluster.serving(volume, now) != noticed) {
                if (cluster.serving(volume, noticedMillis) == noticed) {
                    inTime = true;
                } else {
                    forgotten.add(volume);
                }
            }
        }
        return new Unnoticed(inTime, forgotten);
    }

    /** Returns whether volumes or groups wait to be compared. */
    private boolean comparing() {
        return !changed.isEmpty() || current.isPresent() || nextGroup.isPresent();
    }

    // Slices

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
        context.scheduler().execute(() -> {
            scheduled = false;
            if (!stopped) {
                step();
                schedule();
            }
        });
    }

    private void step() {
        if (changes.takeEverything()) {
            beginAnew();
        }
        drainChanges();
        try (MetadataView view = context.facts().get()) {
            if (current.isEmpty() && !changed.isEmpty()) {
                current = Optional.of(nextComparison());
            }
            if (current.isPresent()) {
                compareStretch(view, current.get());
            } else if (nextGroup.isPresent()) {
                sweepGroups(view, nextGroup.get());
            }
        }
        firstPassDone |= !comparing();
    }

    private void beginAnew() {
        index = new UnderReplicationIndex(context::nowMillis);
        awaited.clear();
        firstPassDone = false;
        current = Optional.empty();
        nextGroup = Optional.of(new GroupId(1));
        cluster.topology().refresh();
        noticeVolumes();
        changed.addAll(cluster.topology().volumes());
    }

    /** Compares a slice of what entries changed: before queries that must see the effect of the last calls. */
    public void drainChanges() {
        if (changes.isEmpty()) {
            return;
        }
        ChangeQueue.Batch batch = changes.take(CHANGED);
        try (MetadataView view = context.facts().get()) {
            for (ChunkOnVolume stored : batch.unplaced()) {
                if (index.noted(stored.volume(), stored.chunk()) && !placed(view, stored)) {
                    index.noteChunk(stored.volume(), stored.chunk(), false, policies(view));
                }
            }
            batch.groups().forEach(group -> {
                awaitReports(view, group);
                compareGroup(view, group);
            });
        }
    }

    /** Awaits reports of the chunks of a group, but of those that are noted as damage. */
    private void awaitReports(MetadataView view, GroupId id) {
        view.sealedGroup(id)
                .ifPresent(group -> group.stored().stream()
                        .filter(stored -> !cluster.live(group, stored) && !index.noted(stored.volume(), stored.chunk()))
                        .forEach(stored -> awaited.await(stored, context.nowMillis())));
    }

    private boolean placed(MetadataView view, ChunkOnVolume stored) {
        return view.sealedGroup(stored.chunk().group())
                .flatMap(group -> group.volumeOf(stored.chunk()))
                .equals(Optional.of(stored.volume()));
    }

    /**
     * Serving volumes come first: chunks on the others are noted only after the wait for their reports was in vain.
     */
    private Comparison nextComparison() {
        VolumeId next = changed.stream()
                .filter(volume -> Boolean.TRUE.equals(serving.get(volume)))
                .findFirst()
                .orElseGet(changed::first);
        changed.remove(next);
        return new Comparison(next, Optional.empty());
    }

    private void compareStretch(MetadataView view, Comparison comparison) {
        VolumeId volume = comparison.volume();
        boolean serves = notice(volume);
        List<ChunkOnVolume> page = view.chunksOn(volume, comparison.after(), SLICE);
        page.forEach(awaited::remove);
        Set<ChunkId> damaged = page.stream()
                .filter(stored -> !serves || !reportedUsable(view, stored))
                .map(ChunkOnVolume::chunk)
                .collect(Collectors.toCollection(TreeSet::new));
        Optional<ChunkOnVolume> last = page.size() < SLICE ? Optional.empty() : Optional.of(page.get(page.size() - 1));
        index.noteStretch(
                volume,
                comparison.after().map(ChunkOnVolume::chunk),
                last.map(ChunkOnVolume::chunk),
                damaged,
                policies(view));
        current = last.map(chunk -> new Comparison(volume, Optional.of(chunk)));
        if (!damaged.isEmpty()) {
            found.run();
        }
    }

    /** Returns whether its volume reported the chunk: whole, when the group is sealed. */
    private boolean reportedUsable(MetadataView view, ChunkOnVolume stored) {
        return cluster.catalog().find(stored.volume(), stored.chunk()).isPresent()
                && view.sealedGroup(stored.chunk().group())
                        .filter(group -> !cluster.reportedWhole(group, stored))
                        .isEmpty();
    }

    private void sweepGroups(MetadataView view, GroupId first) {
        int[] seen = new int[1];
        nextGroup = Optional.empty();
        view.groups(first, group -> {
            if (!group.open()) {
                noteAbsent(view, group);
                index.noteCutShort(group.group(), group.cutShort());
            }
            if (++seen[0] == SLICE) {
                nextGroup = Optional.of(new GroupId(group.group().value() + 1));
            }
            return nextGroup.isEmpty();
        });
    }

    // Notes

    /** Compares these groups as if nothing was noted of them. */
    void compareAnew(MetadataView view, Collection<GroupId> groups) {
        for (GroupId group : groups) {
            index.forget(group);
            compareGroup(view, group);
        }
    }

    private void compareChunk(MetadataView view, VolumeId volume, ChunkId chunk) {
        view.sealedGroup(chunk.group())
                .filter(group -> group.volumeOf(chunk).equals(Optional.of(volume)))
                .ifPresent(group -> note(view, group, new ChunkOnVolume(volume, chunk)));
    }

    /** Notes exactly the missing chunks of a group. */
    private void compareGroup(MetadataView view, GroupId id) {
        Optional<GroupFacts> group = view.sealedGroup(id);
        group.ifPresent(facts -> {
            facts.stored().forEach(stored -> note(view, facts, stored));
            noteAbsent(view, facts);
        });
        index.noteCutShort(id, group.filter(GroupFacts::cutShort).isPresent());
        if (group.isEmpty()) {
            index.noteAbsent(id, Set.of(), policies(view));
        }
    }

    private void note(MetadataView view, GroupFacts group, ChunkOnVolume stored) {
        boolean serves = notice(stored.volume());
        boolean live = serves && cluster.reportedWhole(group, stored);
        if (live || !serves) {
            awaited.remove(stored);
        }
        if (!awaited.contains(stored)) {
            index.noteChunk(stored.volume(), stored.chunk(), !live, policies(view));
        }
    }

    private void noteAbsent(MetadataView view, GroupFacts group) {
        Set<Integer> absent = IntStream.range(0, group.places().size())
                .filter(i -> group.places().get(i).volume().isEmpty())
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
        index.noteAbsent(group.group(), absent, policies(view));
    }

    private Function<GroupId, Optional<Policy>> policies(MetadataView view) {
        return group -> view.sealedGroup(group).map(GroupFacts::policy);
    }
}
