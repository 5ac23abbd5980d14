package io.ecfs.namenode.reconstruction;

import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.RepairSources.Copying;
import io.ecfs.namenode.state.MetadataView;
import java.util.Optional;

/**
 * The rules of an attempt that depend on why its chunk is written anew: {@link LossPolicy} for lost chunks, {@link
 * MovePolicy} for chunks that move. Owner thread: the namenode's event thread.
 */
public interface ReconstructionPolicy {
    /** The failed and the waiting attempts of this kind, by group. */
    RepairDelays delays();

    /** The most attempts of this kind with one datanode as their target. */
    int perDatanode(MetadataView view);

    /** True when an attempt ends as soon as its target's datanode leaves service. */
    boolean requiresTargetInService();

    /** Why the attempt is abandoned, which does not count as a failure; empty while it goes on. */
    Optional<String> abandoned(ChunkRepair attempt, GroupFacts group);

    /** Why the attempt has failed, beside what fails every attempt; empty while it goes on. */
    Optional<String> failed(ChunkRepair attempt, GroupFacts group);

    /** Returns whether the chunk is copied from where it lies. */
    Copying copying(ChunkRepair attempt);

    /** An attempt begins, maybe one of an earlier leader. */
    void begun(ChunkRepair attempt, GroupFacts group);

    /** The log placed the new chunk. */
    void committed(ChunkRepair attempt);

    /** The attempt ended without a new chunk. */
    void ended(ChunkRepair attempt);
}
