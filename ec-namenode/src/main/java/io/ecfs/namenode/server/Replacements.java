package io.ecfs.namenode.server;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.ChunkChange;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.ClusterEvent;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.IncidentCause;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a chunk that was rebuilt or moved read whole by a datanode that holds neither, drawn at random, and compared with the checksums of the one
 * that it stands in for, before that may be called garbage: what a datanode says of its own chunks deletes no other's. Only a whole chunk that is
 * served is worth that; of one that is corrupt, or known to be wrong, nothing is to be saved. Kept in memory for a term: the next leader has the
 * comparison made again.
 *
 * <pre>
 *   an old chunk --ordered--&gt; RUNNING --alike-----------------------&gt; PROVEN: it may be garbage
 *                               |-----differ-----------------------&gt; DISPUTED: an incident; both stay, the group's parity is checked,
 *                               |                                      and later another datanode compares them
 *                               `-----not read, or not in time-----&gt; PAUSED, and ordered again when it is looked at again
 * </pre>
 *
 * Owner thread: the namenode's event thread.
 */
final class Replacements {
    private static final Logger LOG = LoggerFactory.getLogger(Replacements.class);

    /** Of the first comparison; doubles each time that it was too short, so that a pace that is set low makes none impossible. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private static final int MOST_DOUBLINGS = 6;

    /** Of a pair that could not be compared. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    /** How long it is known that a comparison was late. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    /** How long one datanode's word stands that two chunks differ: it may be the one that is wrong. */
    private static final Duration DOUBTED_AFTER = Duration.ofHours(1);

    /** Pairs that are remembered. */
    private static final int MOST = 20_000;

    private final Surroundings around;
    private final TokenIssuer tokens;
    private final Predicate<ChunkId> disproved;
    private final Chronicle chronicle;
    private final Consumer<ChunkId> disputed;
    private final Comparisons running = new Comparisons();
    /** By the old chunk what stands in for it, when they are alike. */
    private final TreeMap<StoredChunk, StoredChunk> proven = new TreeMap<>();
    /** By the old chunk, when they differ. */
    private final TreeMap<StoredChunk, Dispute> differing = new TreeMap<>();
    /** By the old chunk, when they could not be compared. */
    private final TreeMap<StoredChunk, Pause> pausing = new TreeMap<>();

    /** @param reader who said so */
    private record Dispute(StoredChunk fresh, DatanodeId reader, long sinceMillis) {}

    /** @param late comparisons in a row that did not end in time */
    private record Pause(int late, long untilMillis) {}

    /**
     * @param disproved chunks that the others of their groups contradict
     * @param disputed is told of old chunks that differ from what stands in for them
     */
    Replacements(
            Surroundings around,
            TokenIssuer tokens,
            Predicate<ChunkId> disproved,
            Chronicle chronicle,
            Consumer<ChunkId> disputed) {
        this.around = around;
        this.tokens = tokens;
        this.disproved = disproved;
        this.chronicle = chronicle;
        this.disputed = disputed;
    }

    /** Whether chunks are compared: releases of level 1 do not know how. */
    static boolean on(MetadataView view) {
        return view.levelInForce() >= FeatureLevel.COMPARED_REPLACEMENTS;
    }

    void tick() {
        running.removeIf(ordered -> around.passed(ordered.deadline(), ordered.sinceMillis()))
                .forEach(ordered -> pause(ordered.old(), late(ordered.old()) + 1));
        running.removeIf(ordered -> !around.serving(ordered.order().volume()));
        pausing.entrySet()
                .removeIf(pair -> !running.contains(pair.getKey())
                        && around.passed(REMEMBERED, pair.getValue().untilMillis()));
        if (disputes()) {
            try (MetadataView view = around.facts().get()) {
                differing
                        .entrySet()
                        .removeIf(pair ->
                                !stands(view, pair.getKey(), pair.getValue().fresh()));
            }
        }
    }

    /** Whether a chunk differs from what stands in for it. */
    boolean disputes() {
        return !differing.isEmpty();
    }

    /** Whether both chunks are still where they were: the fresh one may have been rebuilt, or the group deleted. */
    private boolean stands(MetadataView view, StoredChunk old, StoredChunk fresh) {
        return around.catalog().find(old.volume(), old.chunk()).isPresent()
                && view.group(fresh.chunk().group())
                        .flatMap(group -> group.volumeOf(fresh.chunk()))
                        .equals(Optional.of(fresh.volume()));
    }

    /**
     * Whether nothing is lost with an old chunk, as far as what stands in for it goes; otherwise it has them compared.
     *
     * @param record of the old chunk
     */
    boolean stoodInFor(MetadataView view, GroupFacts group, StoredChunk old, ChunkRecord record) {
        int index = old.chunk().index();
        Optional<StoredChunk> placed = group.stored(index);
        boolean replaced = placed.filter(
                        fresh -> fresh.chunk().generation() > old.chunk().generation())
                .isPresent();
        boolean good = record.state() == ChunkState.FINALISED && Surroundings.whole(group, record);
        if (!on(view) || !replaced || !good || group.chunkBytes(index) == 0 || disproved.test(old.chunk())) {
            return true;
        }
        StoredChunk fresh = placed.get();
        if (fresh.equals(proven.get(old))) {
            return true;
        }
        boolean waits = dispute(old, fresh)
                        .filter(dispute -> !around.passed(DOUBTED_AFTER, dispute.sinceMillis()))
                        .isPresent()
                || Optional.ofNullable(pausing.get(old))
                        .filter(pause -> around.nowMillis() < pause.untilMillis())
                        .isPresent();
        if (!waits && !running.contains(old)) {
            begin(group, old, fresh);
        }
        return false;
    }

    private Optional<Dispute> dispute(StoredChunk old, StoredChunk fresh) {
        return Optional.ofNullable(differing.get(old))
                .filter(dispute -> dispute.fresh().equals(fresh));
    }

    private void begin(GroupFacts group, StoredChunk old, StoredChunk fresh) {
        Optional<ChunkLocation> from = location(group, old);
        Optional<ChunkLocation> to = location(group, fresh);
        if (from.isEmpty() || to.isEmpty()) {
            return;
        }
        int bytes = Math.toIntExact(group.chunkBytes(old.chunk().index()));
        List<DatanodeId> holders = List.of(from.get().datanode(), to.get().datanode());
        List<VolumeId> readers = readers(group, old, fresh, holders).stream()
                .filter(volume -> running.hasRoom(owner(volume).orElseThrow(), bytes))
                .toList();
        if (readers.isEmpty()) {
            return;
        }
        VolumeId reader = readers.get(around.environment().randomness().nextInt(readers.size()));
        DatanodeId datanode = owner(reader).orElseThrow();
        Duration deadline = DEADLINE.multipliedBy(1L << Math.min(late(old), MOST_DOUBLINGS));
        try {
            BlockToken token = tokens.forDatanode(group, datanode, deadline);
            running.add(new Comparisons.Ordered(
                    old,
                    fresh,
                    datanode,
                    new DatanodeOrder.Compare(reader, to.get(), from.get(), bytes, token),
                    around.nowMillis(),
                    deadline));
        } catch (EcfsException e) {
            LOG.debug("event=chunks_not_compared chunk={} reason=\"{}\"", old, e.getMessage());
        }
    }

    /** Volumes of the group's other datanodes, where it has any, and not of the one whose word is in doubt, where there is another one. */
    private List<VolumeId> readers(GroupFacts group, StoredChunk old, StoredChunk fresh, List<DatanodeId> holders) {
        List<VolumeId> ofGroup = others(group.stored().stream().map(StoredChunk::volume), holders);
        List<VolumeId> readers = ofGroup.isEmpty() ? others(around.topology().volumes().stream(), holders) : ofGroup;
        Optional<DatanodeId> doubted = dispute(old, fresh).map(Dispute::reader);
        List<VolumeId> undoubted = readers.stream()
                .filter(volume -> !owner(volume).equals(doubted))
                .toList();
        return undoubted.isEmpty() ? readers : undoubted;
    }

    private List<VolumeId> others(Stream<VolumeId> volumes, List<DatanodeId> holders) {
        return volumes.filter(around::serving)
                .filter(volume -> owner(volume)
                        .filter(datanode -> !holders.contains(datanode))
                        .isPresent())
                .toList();
    }

    private int late(StoredChunk old) {
        return Optional.ofNullable(pausing.get(old)).map(Pause::late).orElse(0);
    }

    private Optional<ChunkLocation> location(GroupFacts group, StoredChunk stored) {
        return around.live(group, stored)
                ? around.topology().location(stored, ChunkLocation.State.LIVE)
                : Optional.empty();
    }

    private Optional<DatanodeId> owner(VolumeId volume) {
        return around.topology().owner(volume).map(DatanodeFacts::datanode);
    }

    /** What a volume's datanode is to do. */
    List<DatanodeOrder> orders(VolumeId volume) {
        return running.orders(volume);
    }

    /** @return the old chunk that a comparison was about, whose fate may be settled now */
    Optional<StoredChunk> reported(ChunkChange change) {
        if (!(change instanceof ChunkChange.Compared answer)) {
            return Optional.empty();
        }
        Optional<Comparisons.Ordered> ordered = running.answered(answer);
        ordered.ifPresent(its -> settle(its, answer.alike()));
        return ordered.map(Comparisons.Ordered::old);
    }

    private void settle(Comparisons.Ordered ordered, Optional<Boolean> alike) {
        StoredChunk old = ordered.old();
        StoredChunk fresh = ordered.fresh();
        if (alike.isEmpty()) {
            pause(old, late(old));
            return;
        }
        pausing.remove(old);
        Optional<Dispute> before = dispute(old, fresh);
        if (alike.get()) {
            differing.remove(old);
            remember(proven, old, fresh);
            before.ifPresent(dispute -> LOG.warn(
                    "event=dispute_ended chunk={} original={} reason=\"datanode {} reads them alike, which {} did not\"",
                    fresh.chunk(),
                    old.chunk(),
                    ordered.reader(),
                    dispute.reader()));
        } else {
            remember(differing, old, new Dispute(fresh, ordered.reader(), around.nowMillis()));
            if (before.isEmpty()) {
                tell(ordered);
            }
        }
    }

    private void tell(Comparisons.Ordered ordered) {
        StoredChunk old = ordered.old();
        StoredChunk fresh = ordered.fresh();
        String reason = old + " differs from " + fresh + ", which stands in for it, as volume "
                + ordered.order().volume() + " reads them: neither is deleted";
        LOG.error(
                "event=chunk_disputed chunk={} original={} target={} reason=\"{}\" action=\"nothing is deleted; the"
                        + " group's parity is checked\"",
                fresh.chunk(),
                old.chunk(),
                fresh.volume(),
                reason);
        chronicle.note(new ClusterEvent.RepairWaits(
                IncidentCause.disputed(),
                old.chunk().group(),
                old.chunk().index(),
                around.epochMillis(),
                around.epochMillis(),
                reason));
        disputed.accept(old.chunk());
    }

    private void pause(StoredChunk old, int late) {
        pausing.put(old, new Pause(late, around.nowMillis() + PAUSE.toMillis()));
    }

    private static <V> void remember(NavigableMap<StoredChunk, V> pairs, StoredChunk old, V what) {
        if (pairs.size() >= MOST && !pairs.containsKey(old)) {
            pairs.pollFirstEntry();
        }
        pairs.put(old, what);
    }
}
