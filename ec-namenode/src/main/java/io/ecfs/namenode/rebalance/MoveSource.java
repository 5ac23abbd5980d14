package io.ecfs.namenode.rebalance;

import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.ChunkRepair;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairService.Examined;
import io.ecfs.namenode.state.MetadataView;
import java.util.function.Predicate;

/**
 * Moves that nothing depends on: which chunks would lie better elsewhere, and what has become of those that were begun.
 * {@link Moves} asks while nobody leaves. Owner thread: the namenode's event thread.
 */
interface MoveSource {
    /** Begins to move a chunk if it can be moved now. */
    interface Starter {
        /** @param may which volumes it may go to, beside what holds for every target */
        Examined start(ChunkOnVolume chunk, Found found, Predicate<VolumeId> may);
    }

    /** Returns whether an attempt is one of these. */
    boolean owns(ChunkRepair attempt);

    /** Returns whether chunks move, or just did. */
    boolean going();

    /** Begins at most so many. */
    void plan(MetadataView view, Starter starter, int places);

    /** One of these began. */
    void begun(ChunkRepair move, GroupFacts group);

    /** Returns whether one of these is to go on. */
    boolean wants(ChunkRepair move);

    /** @param moved false: one of these came to nothing */
    void ended(ChunkRepair move, boolean moved);
}
