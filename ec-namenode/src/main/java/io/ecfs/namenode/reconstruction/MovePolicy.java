package io.ecfs.namenode.reconstruction;

import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.RepairSources.Copying;
import io.ecfs.namenode.state.MetadataView;

/**
 * What {@link RepairService} needs to know of chunks with which nothing is wrong and that are only wanted elsewhere. Is
 * told what became of each. Owner thread: the namenode's event thread.
 */
public interface MovePolicy {
    /** Begins moves where there is room for them. */
    void plan(MetadataView view, RepairService repairs);

    /** How often moves of a group failed, apart from repairs. */
    RepairDelays delays();

    /** Most moves with one datanode as their target. */
    int perDatanode(MetadataView view);

    /** Whether the chunk is still to lie elsewhere. */
    boolean wanted(ChunkRepair move, GroupFacts group);

    /** Whether the chunk is copied from where it lies. */
    Copying copying(ChunkRepair move);

    /** A move begins, maybe one of an earlier leader. */
    void begun(ChunkRepair move, GroupFacts group);

    /** The chunk lies elsewhere now. */
    void moved(ChunkRepair move);

    /** The move came to nothing. */
    void ended(ChunkRepair move);
}
