package io.ecfs.namenode.scrub;

import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.TokenIssuer;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares replaced chunks with their replacements before they become garbage, so that no report of a datanode about
 * its own chunk deletes another's. A third datanode, drawn at random, reads the rebuilt or moved chunk whole and
 * compares it with the checksums of the old one. Only a whole chunk that is served is compared, published or not; a
 * corrupt one, or one known to be wrong, has nothing to save. Soft state of a term: the next leader has the comparison
 * made again.
 *
 * <pre>
 *   UNKNOWN --ordered--&gt; RUNNING --alike----------------------&gt; PROVEN: it may be garbage
 *                          |-----differ----------------------&gt; DISPUTED: an incident; both stay, parity is checked
 *                          |-----not read, or not in time----&gt; PAUSED
 *                          `-----its reader serves no more---&gt; what it was before
 *   PAUSED ----after a pause------------------&gt; RUNNING
 *   DISPUTED --an hour later------------------&gt; RUNNING, by another datanode --not read, or not in time--&gt; PAUSED
 * </pre>
 *
 * A dispute stands, whether its pair is RUNNING or PAUSED, until a datanode reads the two alike or one of them is gone.
 * A pair that is evicted is UNKNOWN, and so is one whose old chunk has another replacement by now.
 *
 * Owner thread: the namenode's event thread.
 */
public final class Replacements {
    private static final Logger LOG = LoggerFactory.getLogger(Replacements.class);

    /**
     * Deadline of the first comparison; doubles each time that it was too short, so that a low pace makes none
     * impossible.
     */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private static final int MOST_DOUBLINGS = 6;

    /** Pause of a pair that could not be compared. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    /** Time for which a late comparison is remembered. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    /** Time until a dispute found by one datanode is checked by another: the reader may be the one that is wrong. */
    private static final Duration DOUBTED_AFTER = Duration.ofHours(1);

    private enum State {
        UNKNOWN,
        RUNNING,
        PROVEN,
        DISPUTED,
        PAUSED;

        Set<State> next() {
            return switch (this) {
                case UNKNOWN, PAUSED, DISPUTED -> EnumSet.of(RUNNING);
                case RUNNING -> EnumSet.complementOf(EnumSet.of(RUNNING));
                case PROVEN -> EnumSet.noneOf(State.class);
            };
        }
    }

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final TokenIssuer tokens;
    private final Predicate<ChunkId> disproved;
    private final EventRecorder recorder;
    private final Consumer<ChunkId> disputed;
    private final Comparisons running = new Comparisons();
    /** The replacement of the old chunk, when they are alike. */
    private final ComparedPairs<ChunkOnVolume> proven = new ComparedPairs<>();

    private final ComparedPairs<Dispute> differing = new ComparedPairs<>();
    /** Pairs that could not be compared. */
    private final ComparedPairs<Pause> pausing = new ComparedPairs<>();

    /** @param reader that found the difference */
    private record Dispute(ChunkOnVolume fresh, DatanodeId reader, long sinceMillis) {}

    /** @param late comparisons in a row that did not end in time */
    private record Pause(int late, long untilMillis) {}

    /**
     * @param disproved chunks that the others of their groups contradict
     * @param disputed receives old chunks that differ from their replacement
     */
    public Replacements(
            NamenodeContext context,
            ClusterView cluster,
            TokenIssuer tokens,
            Predicate<ChunkId> disproved,
            EventRecorder recorder,
            Consumer<ChunkId> disputed) {
        this.context = context;
        this.cluster = cluster;
        this.tokens = tokens;
        this.disproved = disproved;
        this.recorder = recorder;
        this.disputed = disputed;
    }

    /** Returns whether chunks are compared: releases of level 1 cannot. */
    public static boolean on(MetadataView view) {
        return view.levelInForce() >= FeatureLevel.COMPARED_REPLACEMENTS;
    }

    public void tick() {
        running.removeIf(ordered -> context.passed(ordered.deadline(), ordered.sinceMillis()))
                .forEach(ordered -> pause(ordered, late(ordered.old()) + 1, "not in time"));
        running.removeIf(ordered -> !cluster.serving(ordered.order().volume()))
                .forEach(ordered -> moved(
                        ordered.old(),
                        ordered.fresh(),
                        State.RUNNING,
                        waiting(ordered.old(), ordered.fresh()),
                        "its reader serves no more"));
        pausing.removeIf((old, pause) -> !running.contains(old) && context.passed(REMEMBERED, pause.untilMillis()));
        if (disputes()) {
            try (MetadataView view = context.facts().get()) {
                differing.removeIf((old, dispute) -> !stands(view, old, dispute.fresh()));
            }
        }
    }

    /** Returns whether a chunk differs from its replacement. */
    public boolean disputes() {
        return differing.size() > 0;
    }

    /**
     * Returns whether both chunks are still where they were: the fresh one may have been rebuilt, or the group deleted.
     */
    private boolean stands(MetadataView view, ChunkOnVolume old, ChunkOnVolume fresh) {
        return cluster.catalog().find(old.volume(), old.chunk()).isPresent()
                && view.group(fresh.chunk().group())
                        .flatMap(group -> group.volumeOf(fresh.chunk()))
                        .equals(Optional.of(fresh.volume()));
    }

    /**
     * Returns whether nothing is lost with an old chunk because its replacement is proven alike; otherwise has them
     * compared.
     * @param record of the old chunk
     */
    public boolean stoodInFor(MetadataView view, GroupFacts group, ChunkOnVolume old, ChunkRecord record) {
        int index = old.chunk().index();
        Optional<ChunkOnVolume> placed = group.stored(index);
        boolean replaced = placed.filter(
                        fresh -> fresh.chunk().generation() > old.chunk().generation())
                .isPresent();
        if (!on(view)
                || !replaced
                || !group.isWhole(record)
                || group.chunkBytes(index) == 0
                || disproved.test(old.chunk())) {
            return true;
        }
        ChunkOnVolume fresh = placed.get();
        if (proven.find(old).filter(fresh::equals).isPresent()) {
            return true;
        }
        boolean waits = dispute(old, fresh)
                        .filter(dispute -> !context.passed(DOUBTED_AFTER, dispute.sinceMillis()))
                        .isPresent()
                || pausing.find(old)
                        .filter(pause -> context.nowMillis() < pause.untilMillis())
                        .isPresent();
        if (!waits && !running.contains(old)) {
            begin(group, old, fresh);
        }
        return false;
    }

    private Optional<Dispute> dispute(ChunkOnVolume old, ChunkOnVolume fresh) {
        return differing.find(old).filter(dispute -> dispute.fresh().equals(fresh));
    }

    private void begin(GroupFacts group, ChunkOnVolume old, ChunkOnVolume fresh) {
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
        VolumeId reader = readers.get(context.environment().randomness().nextInt(readers.size()));
        DatanodeId datanode = owner(reader).orElseThrow();
        Duration deadline = DEADLINE.multipliedBy(1L << Math.min(late(old), MOST_DOUBLINGS));
        try {
            BlockToken token = tokens.forDatanode(group, datanode, deadline);
            running.add(new Comparisons.Ordered(
                    old,
                    fresh,
                    datanode,
                    new DatanodeOrder.Compare(reader, to.get(), from.get(), bytes, token),
                    context.nowMillis(),
                    deadline));
            moved(old, fresh, waiting(old, fresh), State.RUNNING, "ordered of " + reader);
        } catch (EcfsException e) {
            LOG.debug("event=chunks_not_compared chunk={} reason=\"{}\"", old, e.getMessage());
        }
    }

    /**
     * Volumes of the group's other datanodes, where it has any, without the one whose finding is in doubt, where there
     * is another one.
     */
    private List<VolumeId> readers(GroupFacts group, ChunkOnVolume old, ChunkOnVolume fresh, List<DatanodeId> holders) {
        List<VolumeId> ofGroup = others(group.stored().stream().map(ChunkOnVolume::volume), holders);
        List<VolumeId> readers = ofGroup.isEmpty() ? others(cluster.topology().volumes().stream(), holders) : ofGroup;
        Optional<DatanodeId> doubted = dispute(old, fresh).map(Dispute::reader);
        List<VolumeId> undoubted = readers.stream()
                .filter(volume -> !owner(volume).equals(doubted))
                .toList();
        return undoubted.isEmpty() ? readers : undoubted;
    }

    private List<VolumeId> others(Stream<VolumeId> volumes, List<DatanodeId> holders) {
        return volumes.filter(cluster::serving)
                .filter(volume -> owner(volume)
                        .filter(datanode -> !holders.contains(datanode))
                        .isPresent())
                .toList();
    }

    private int late(ChunkOnVolume old) {
        return pausing.find(old).map(Pause::late).orElse(0);
    }

    private Optional<ChunkLocation> location(GroupFacts group, ChunkOnVolume stored) {
        return cluster.live(group, stored)
                ? cluster.topology().location(stored, ChunkLocation.State.LIVE)
                : Optional.empty();
    }

    private Optional<DatanodeId> owner(VolumeId volume) {
        return cluster.topology().owner(volume).map(DatanodeFacts::datanode);
    }

    /** Orders for a volume's datanode. */
    public List<DatanodeOrder> orders(VolumeId volume) {
        return running.orders(volume);
    }

    /** @return the old chunk of a comparison, which may be decided about now */
    public Optional<ChunkOnVolume> reported(ChunkChange change) {
        if (!(change instanceof ChunkChange.Compared answer)) {
            return Optional.empty();
        }
        Optional<Comparisons.Ordered> ordered = running.answered(answer);
        ordered.ifPresent(its -> settle(its, answer.alike()));
        return ordered.map(Comparisons.Ordered::old);
    }

    private void settle(Comparisons.Ordered ordered, Optional<Boolean> alike) {
        ChunkOnVolume old = ordered.old();
        ChunkOnVolume fresh = ordered.fresh();
        if (alike.isEmpty()) {
            pause(ordered, late(old), "not read");
            return;
        }
        pausing.remove(old);
        Optional<Dispute> before = dispute(old, fresh);
        if (alike.get()) {
            differing.remove(old);
            proven.put(old, fresh);
            moved(old, fresh, State.RUNNING, State.PROVEN, "alike");
            before.ifPresent(dispute -> LOG.warn(
                    "event=dispute_ended chunk={} original={} reason=\"datanode {} reads them alike, which {} did"
                            + " not\"",
                    fresh.chunk(),
                    old.chunk(),
                    ordered.reader(),
                    dispute.reader()));
        } else {
            differing.put(old, new Dispute(fresh, ordered.reader(), context.nowMillis()));
            moved(old, fresh, State.RUNNING, State.DISPUTED, "they differ");
            if (before.isEmpty()) {
                tell(ordered);
            }
        }
    }

    private void tell(Comparisons.Ordered ordered) {
        ChunkOnVolume old = ordered.old();
        ChunkOnVolume fresh = ordered.fresh();
        String reason = old + " differs from " + fresh + ", which stands in for it, as volume "
                + ordered.order().volume() + " reads them: neither is deleted";
        LOG.error(
                "event=chunk_disputed chunk={} original={} target={} reason=\"{}\" action=\"nothing is deleted; the"
                        + " group's parity is checked\"",
                fresh.chunk(),
                old.chunk(),
                fresh.volume(),
                reason);
        recorder.note(new ClusterEvent.RepairWaits(
                IncidentCause.disputed(),
                old.chunk().group(),
                old.chunk().index(),
                context.epochMillis(),
                context.epochMillis(),
                reason));
        disputed.accept(old.chunk());
    }

    private void pause(Comparisons.Ordered ordered, int late, String reason) {
        pausing.put(ordered.old(), new Pause(late, context.nowMillis() + PAUSE.toMillis()));
        moved(ordered.old(), ordered.fresh(), State.RUNNING, State.PAUSED, reason);
    }

    /** The state of a pair that is neither compared nor proven. */
    private State waiting(ChunkOnVolume old, ChunkOnVolume fresh) {
        if (pausing.find(old).isPresent()) {
            return State.PAUSED;
        }
        return dispute(old, fresh).isPresent() ? State.DISPUTED : State.UNKNOWN;
    }

    private static void moved(ChunkOnVolume old, ChunkOnVolume fresh, State from, State to, String reason) {
        Invariant.check(from.next().contains(to), "%s, for %s, goes from %s to %s: %s", fresh, old, from, to, reason);
        LOG.debug(
                "event=replacement_state chunk={} original={} from={} to={} reason=\"{}\"",
                fresh,
                old,
                from,
                to,
                reason);
    }
}
