package io.ecfs.namenode.reconstruction;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Sources of a rebuild: the readable chunks of the others, and for a move the chunk itself in turn with them, so that
 * all datanodes that hold chunks of its groups share the work of a drain. Owner thread: the namenode's event thread.
 */
public final class RepairSources {
    private final ClusterView cluster;
    private final Predicate<ChunkId> disproved;
    private final ReadLoad load = new ReadLoad();

    /** @param disproved chunks that nothing is compared with */
    RepairSources(ClusterView cluster, Predicate<ChunkId> disproved) {
        this.cluster = cluster;
        this.disproved = disproved;
    }

    /** Use of the chunk itself as a source. */
    public enum Copying {
        /** Never: it is lost. */
        NEVER,
        /** In turn with computing it from the others. */
        IN_TURN,
        /** Always: reading least matters more than sharing the load. */
        ALWAYS
    }

    void tick() {
        load.tick();
    }

    /**
     * Returns whether the readable chunks suffice for an index: those of the others, or the chunk itself on a volume
     * that failed.
     */
    boolean suffice(GroupFacts group, int index) {
        return group.policy().code().decodable(cluster.worthReading(group).without(index))
                || group.stored(index)
                        .filter(own -> cluster.lastResort(group, own))
                        .isPresent();
    }

    /**
     * At most one chunk of each index; those of datanodes in maintenance only when the others are not enough, and those
     * of volumes that failed, the chunk itself with them, only when nothing else is.
     *
     * @param copying of the chunk itself
     */
    List<ChunkLocation> of(GroupFacts group, int index, Copying copying) {
        List<ChunkOnVolume> others = group.stored().stream()
                .filter(stored -> stored.chunk().index() != index && cluster.live(group, stored))
                .toList();
        List<ChunkOnVolume> awake = others.stream()
                .filter(stored -> !cluster.inMaintenance(stored.volume()))
                .toList();
        List<ChunkOnVolume> read = new ArrayList<>(group.policy().code().redundant(indexes(awake)) ? awake : others);
        if (copying != Copying.NEVER) {
            copied(group, index, read, copying).ifPresent(read::add);
        } else if (!group.policy().code().decodable(indexes(read))) {
            group.stored().stream()
                    .filter(stored -> cluster.lastResort(group, stored))
                    .forEach(read::add);
        }
        return read.stream()
                .flatMap(stored -> cluster.topology().location(stored, ChunkLocation.State.LIVE).stream())
                .toList();
    }

    /**
     * The chunk that is to be replaced, where it can still be read: the computed one is compared with it. LIVE when it
     * is served, so that nothing replaces it before that; LAST_RESORT when its volume failed and it may become
     * unreadable. MISSING when it was found wrong: then another chunk may be wrong too, and only more sources can
     * decide.
     */
    Optional<ChunkLocation> original(GroupFacts group, int index) {
        Optional<ChunkOnVolume> placed = group.stored(index);
        Optional<ChunkOnVolume> own = placed.filter(stored -> !disproved.test(stored.chunk()));
        return own.filter(stored -> cluster.live(group, stored))
                .flatMap(stored -> cluster.topology().location(stored, ChunkLocation.State.LIVE))
                .or(() -> own.filter(stored -> cluster.lastResort(group, stored))
                        .flatMap(stored -> cluster.topology().location(stored, ChunkLocation.State.LAST_RESORT)))
                .or(() -> placed.filter(stored -> foundWrong(group, stored))
                        .flatMap(stored -> cluster.topology().location(stored, ChunkLocation.State.MISSING)));
    }

    /**
     * Returns whether its datanode reports it as corrupt, as it does when it was condemned, or the others of its group
     * contradict it.
     */
    private boolean foundWrong(GroupFacts group, ChunkOnVolume stored) {
        boolean corrupt = cluster.catalog()
                .find(stored.volume(), stored.chunk())
                .filter(record -> record.state() == ChunkState.CORRUPT)
                .isPresent();
        boolean readable = cluster.live(group, stored) || cluster.lastResort(group, stored);
        return corrupt || (disproved.test(stored.chunk()) && !readable);
    }

    /**
     * The chunk itself when it is to be copied and not computed; either way the load on the datanodes that are read is
     * recorded.
     */
    private Optional<ChunkOnVolume> copied(GroupFacts group, int index, List<ChunkOnVolume> others, Copying copying) {
        Optional<ChunkOnVolume> own = group.stored(index).filter(stored -> cluster.live(group, stored));
        Optional<DatanodeId> holder = own.flatMap(this::holder);
        List<DatanodeId> holders =
                others.stream().flatMap(stored -> holder(stored).stream()).toList();
        boolean computable = group.policy().code().decodable(indexes(others));
        double bytes = group.chunkBytes(index);
        if (holder.isPresent() && (copying == Copying.ALWAYS || !computable || load.copies(holder.get(), holders))) {
            load.planned(holder.get(), bytes);
            return own;
        }
        // Computing reads about k chunks; the target chooses which.
        double share = Math.min(1, (double) group.policy().dataChunks() / holders.size());
        holders.forEach(other -> load.planned(other, bytes * share));
        return Optional.empty();
    }

    private Optional<DatanodeId> holder(ChunkOnVolume stored) {
        return cluster.topology().owner(stored.volume()).map(DatanodeFacts::datanode);
    }

    private static ChunkSet indexes(List<ChunkOnVolume> stored) {
        return ChunkSet.of(stored.stream().map(s -> s.chunk().index()).toList());
    }
}
