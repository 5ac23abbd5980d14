package io.ecfs.namenode.leader;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.ClusterReport.Drain;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.rebalance.MovePlanner;
import io.ecfs.namenode.state.MetadataView;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Progress of drains: what is left is counted in the facts, a slice of each datanode at a time and in rounds; the pace
 * is that of the last minute. Owner thread: the namenode's event thread.
 */
public final class DrainProgress {
    private static final int SLICE = 1000;
    private static final long WINDOW_MILLIS = 30_000;

    /** The count of a datanode's chunks, and how many moved lately. */
    private static final class Count {
        Optional<Iterator<VolumeId>> volumes = Optional.empty();
        Optional<VolumeId> volume = Optional.empty();
        Optional<ChunkOnVolume> after = Optional.empty();
        long chunks;
        long bytes;
        Optional<Left> known = Optional.empty();
        long windowMillis;
        Moved window = Moved.NONE;
        Moved before = Moved.NONE;
        long beforeMillis;
    }

    private record Left(long chunks, long bytes) {}

    private record Moved(long chunks, long bytes) {
        static final Moved NONE = new Moved(0, 0);

        Moved plus(long moreChunks, long moreBytes) {
            return new Moved(chunks + moreChunks, bytes + moreBytes);
        }
    }

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final MovePlanner moves;
    private final Function<DatanodeId, Optional<String>> emptied;
    private final TreeMap<DatanodeId, Count> counts = new TreeMap<>();

    /** @param emptied the reason why a datanode without placed chunks is not decommissioned yet */
    DrainProgress(
            NamenodeContext context,
            ClusterView cluster,
            MovePlanner moves,
            Function<DatanodeId, Optional<String>> emptied) {
        this.emptied = emptied;
        this.context = context;
        this.cluster = cluster;
        this.moves = moves;
    }

    void tick() {
        try (MetadataView view = context.facts().get()) {
            counts.keySet()
                    .removeIf(datanode -> cluster.topology()
                            .datanode(datanode)
                            .filter(DatanodeFacts::leaving)
                            .isEmpty());
            cluster.topology().datanodes().stream()
                    .filter(DatanodeFacts::leaving)
                    .forEach(facts -> count(view, facts, counts.computeIfAbsent(facts.datanode(), d -> begun())));
        }
    }

    private Count begun() {
        Count count = new Count();
        count.windowMillis = context.nowMillis();
        return count;
    }

    /** Continues the count; a completed one becomes the known result, and the next one begins. */
    private void count(MetadataView view, DatanodeFacts facts, Count count) {
        turn(count);
        if (count.volumes.isEmpty()) {
            count.volumes = Optional.of(List.copyOf(facts.volumes().values()).iterator());
            count.chunks = 0;
            count.bytes = 0;
            count.volume = Optional.empty();
        }
        int rows = 0;
        while (rows < SLICE) {
            if (count.volume.isEmpty()) {
                if (!count.volumes.get().hasNext()) {
                    count.known = Optional.of(new Left(count.chunks, count.bytes));
                    count.volumes = Optional.empty();
                    return;
                }
                count.volume = Optional.of(count.volumes.get().next());
                count.after = Optional.empty();
            }
            List<ChunkOnVolume> page = view.chunksOn(count.volume.get(), count.after, SLICE - rows);
            page.forEach(stored -> count.bytes += bytes(view, stored));
            count.chunks += page.size();
            rows += page.size();
            if (rows < SLICE) {
                count.volume = Optional.empty();
            } else {
                count.after = Optional.of(page.get(page.size() - 1));
            }
        }
    }

    private static long bytes(MetadataView view, ChunkOnVolume stored) {
        return view.group(stored.chunk().group())
                .filter(group -> !group.open())
                .map(group -> group.chunkBytes(stored.chunk().index()))
                .orElse(0L);
    }

    private void turn(Count count) {
        if (context.nowMillis() - count.windowMillis >= WINDOW_MILLIS) {
            count.before = count.window;
            count.beforeMillis = count.windowMillis;
            count.window = Moved.NONE;
            count.windowMillis = context.nowMillis();
        }
    }

    /** Accounts for a chunk of a leaving datanode that was placed elsewhere. */
    void moved(DatanodeId from, GroupFacts group, int index) {
        Count count = counts.get(from);
        if (count != null) {
            long bytes = group.chunkBytes(index);
            count.window = count.window.plus(1, bytes);
            count.known = count.known.map(
                    left -> new Left(Math.max(0, left.chunks() - 1), Math.max(0, left.bytes() - bytes)));
        }
    }

    /** Empty when it does not leave, or no count is complete yet. */
    public Optional<Drain> of(MetadataView view, DatanodeFacts facts) {
        Optional<Count> count = Optional.ofNullable(counts.get(facts.datanode()));
        IncidentCause cause = IncidentCause.leaving(facts.datanode());
        Optional<Incident> incident = view.incidentsGoingOn().stream()
                .filter(i -> i.cause().equals(cause))
                .findFirst();
        return count.flatMap(c -> c.known.map(left -> {
            Optional<String> waiting = waiting(view, facts, left);
            return new Drain(
                    left.chunks(),
                    left.bytes(),
                    incident.map(Incident::repaired).orElse(0L),
                    incident.map(Incident::bytesRepaired).orElse(0L),
                    waiting.isPresent() ? Optional.empty() : etaSeconds(c, left),
                    waiting);
        }));
    }

    private Optional<String> waiting(MetadataView view, DatanodeFacts facts, Left left) {
        return left.chunks() == 0 ? emptied.apply(facts.datanode()) : waiting(view, facts.datanode());
    }

    /** The reason why no chunk leaves a datanode of which one is to; empty: they do, or there is none. */
    public Optional<String> waiting(MetadataView view, DatanodeId datanode) {
        if (context.throttles(view).off()) {
            return Optional.of(
                    "repair is switched off: 'ecfs admin throttle --repairs' or settings.recovery.atOnce is 0");
        }
        return moves.waiting(datanode);
    }

    private Optional<Long> etaSeconds(Count count, Left left) {
        if (left.chunks() == 0) {
            return Optional.of(0L);
        }
        boolean first = count.before.equals(Moved.NONE);
        Moved moved = count.window.plus(count.before.chunks(), count.before.bytes());
        double seconds = Math.max(1, context.nowMillis() - (first ? count.windowMillis : count.beforeMillis)) / 1e3;
        if (left.bytes() > 0 && moved.bytes() > 0) {
            return Optional.of((long) Math.ceil(left.bytes() * seconds / moved.bytes()));
        }
        return moved.chunks() > 0
                ? Optional.of((long) Math.ceil(left.chunks() * seconds / moved.chunks()))
                : Optional.empty();
    }

    /** Chunks left on all datanodes that leave, as far as they were counted. */
    public long chunksLeft() {
        return counts.values().stream()
                .flatMap(count -> count.known.stream())
                .mapToLong(Left::chunks)
                .sum();
    }
}
