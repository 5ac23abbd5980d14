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
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
 *                               |-----differ-----------------------&gt; DISPUTED: an incident; both stay, the group's parity is checked
 *                               `-----not read, or not in time-----&gt; forgotten, and ordered again when it is looked at again
 * </pre>
 *
 * Owner thread: the namenode's event thread.
 */
final class Replacements {
    private static final Logger LOG = LoggerFactory.getLogger(Replacements.class);

    /** Past it the datanode is taken for unable. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    /** Of a pair that could not be compared. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    /** Under way for each datanode that is alive. */
    private static final int FOR_EACH_DATANODE = 2;

    /** Pairs that are remembered. */
    private static final int MOST = 20_000;

    private final Surroundings around;
    private final TokenIssuer tokens;
    private final Predicate<ChunkId> disproved;
    private final Chronicle chronicle;
    private final Consumer<ChunkId> disputed;
    private final TreeMap<StoredChunk, Running> running = new TreeMap<>();
    /** By the old chunk what stands in for it, when they are alike. */
    private final TreeMap<StoredChunk, StoredChunk> proven = new TreeMap<>();
    /** By the old chunk what stands in for it, when they differ. */
    private final TreeMap<StoredChunk, StoredChunk> differing = new TreeMap<>();
    /** When pairs may be tried again that could not be compared. */
    private final TreeMap<StoredChunk, Long> pausing = new TreeMap<>();

    private record Running(DatanodeOrder.Compare order, StoredChunk fresh, long sinceMillis) {}

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
        running.entrySet().removeIf(entry -> {
            boolean late = around.passed(DEADLINE, entry.getValue().sinceMillis());
            if (late) {
                pause(entry.getKey());
            }
            return late;
        });
        pausing.values().removeIf(until -> around.nowMillis() >= until);
        if (disputes()) {
            try (MetadataView view = around.facts().get()) {
                differing.entrySet().removeIf(pair -> !stands(view, pair.getKey(), pair.getValue()));
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
        if (!fresh.equals(differing.get(old)) && !running.containsKey(old) && !pausing.containsKey(old)) {
            begin(group, old, fresh);
        }
        return false;
    }

    private void begin(GroupFacts group, StoredChunk old, StoredChunk fresh) {
        Optional<ChunkLocation> from = location(group, old);
        Optional<ChunkLocation> to = location(group, fresh);
        if (running.size() >= FOR_EACH_DATANODE * around.healthyDatanodes() || from.isEmpty() || to.isEmpty()) {
            return;
        }
        List<StoredChunk> readers = group.stored().stream()
                .filter(other -> around.serving(other.volume()))
                .filter(other -> owner(other.volume())
                        .filter(datanode -> !datanode.equals(from.get().datanode())
                                && !datanode.equals(to.get().datanode()))
                        .isPresent())
                .toList();
        if (readers.isEmpty()) {
            return;
        }
        VolumeId reader = readers.get(around.environment().randomness().nextInt(readers.size()))
                .volume();
        try {
            BlockToken token = tokens.forDatanode(group, owner(reader).orElseThrow(), DEADLINE);
            int bytes = Math.toIntExact(group.chunkBytes(old.chunk().index()));
            running.put(
                    old,
                    new Running(
                            new DatanodeOrder.Compare(reader, to.get(), from.get(), bytes, token),
                            fresh,
                            around.nowMillis()));
        } catch (EcfsException e) {
            LOG.debug("event=chunks_not_compared chunk={} reason=\"{}\"", old, e.getMessage());
        }
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
        List<DatanodeOrder> orders = new ArrayList<>();
        running.values().stream()
                .map(Running::order)
                .filter(order -> order.volume().equals(volume))
                .forEach(orders::add);
        return orders;
    }

    /** @return the old chunk that a comparison was about, whose fate may be settled now */
    Optional<StoredChunk> reported(ChunkChange change) {
        if (!(change instanceof ChunkChange.Compared answer)) {
            return Optional.empty();
        }
        Optional<StoredChunk> old = running.entrySet().stream()
                .filter(entry -> entry.getValue().order().volume().equals(answer.volume())
                        && entry.getKey().chunk().equals(answer.old())
                        && entry.getValue().fresh().chunk().equals(answer.fresh()))
                .map(entry -> entry.getKey())
                .findFirst();
        old.ifPresent(chunk -> answered(chunk, running.remove(chunk), answer));
        return old;
    }

    private void answered(StoredChunk old, Running was, ChunkChange.Compared answer) {
        if (answer.alike().isEmpty()) {
            pause(old);
        } else if (answer.alike().get()) {
            remember(proven, old, was.fresh());
        } else {
            remember(differing, old, was.fresh());
            String reason = old + " differs from " + was.fresh() + ", which stands in for it, as volume "
                    + answer.volume() + " reads them: neither is deleted";
            LOG.error(
                    "event=chunk_disputed chunk={} original={} target={} reason=\"{}\" action=\"nothing is deleted; the"
                            + " group's parity is checked\"",
                    was.fresh().chunk(),
                    old.chunk(),
                    was.fresh().volume(),
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
    }

    private void pause(StoredChunk old) {
        pausing.put(old, around.nowMillis() + PAUSE.toMillis());
    }

    private static void remember(NavigableMap<StoredChunk, StoredChunk> pairs, StoredChunk old, StoredChunk fresh) {
        if (pairs.size() >= MOST) {
            pairs.pollFirstEntry();
        }
        pairs.put(old, fresh);
    }
}
