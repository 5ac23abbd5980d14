package io.ecfs.namenode.rebalance;

import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.ChunkRepair;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairService.BeginResult;
import io.ecfs.namenode.state.MetadataView;
import java.util.function.Predicate;

/**
 * Source of elective moves: chunks that would lie better elsewhere, and the results of those that were begun. {@link
 * MovePlanner} calls it while no datanode leaves. Owner thread: the namenode's event thread.
 */
interface MoveSource {
    /** Begins to move a chunk if it can be moved now. */
    interface Starter {
        /** @param may volumes that are allowed, beside the rules of every target */
        BeginResult start(ChunkOnVolume chunk, Found found, Predicate<VolumeId> may);
    }

    /** Returns whether an attempt is one of these. */
    boolean owns(ChunkRepair attempt);

    /** Returns whether chunks move, or just did. */
    boolean going();

    /** Begins at most so many moves. */
    void plan(MetadataView view, Starter starter, int places);

    /** Records that one of these began. */
    void begun(ChunkRepair move, GroupFacts group);

    /** Returns whether one of these is still wanted. */
    boolean wants(ChunkRepair move);

    /** @param moved false: it failed or was abandoned */
    void ended(ChunkRepair move, boolean moved);
}
