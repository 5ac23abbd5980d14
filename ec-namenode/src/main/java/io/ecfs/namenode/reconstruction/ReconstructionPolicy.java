package io.ecfs.namenode.reconstruction;

import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.RepairSources.Copying;
import io.ecfs.namenode.state.MetadataView;

/**
 * Rules of an attempt that depend on why its chunk is written anew: {@link LossPolicy} for lost chunks, another one for
 * chunks that move. A policy accounts for the attempts of its kind. Owner thread: the namenode's event thread.
 */
public interface ReconstructionPolicy {
    /** Result of judging an attempt under way. */
    sealed interface Verdict {
        /** The attempt goes on. */
        record Continue() implements Verdict {}

        /** The attempt ends without a new chunk. */
        sealed interface End extends Verdict {
            String reason();
        }

        /** It is no longer wanted: that is no failure, and the next attempt need not wait. */
        record Abandon(String reason) implements End {}

        /** Its target is gone, which says nothing about the group: the next attempt takes another one at once. */
        record TargetGone(String reason) implements End {}

        /** It failed: the next attempt waits, longer after each failure. */
        record Fail(String reason) implements End {}
    }

    /** The failed and the waiting attempts of this kind, by group. */
    RepairDelays delays();

    /** The most attempts of this kind with one datanode as their target. */
    int perDatanode(MetadataView view);

    /** True when an attempt ends as soon as its target's datanode leaves service. */
    boolean requiresTargetInService();

    /** Judges an attempt whose target works on it; what fails attempts of every kind is already excluded. */
    Verdict judge(ChunkRepair attempt, GroupFacts group);

    /** Returns whether the chunk is copied from where it lies. */
    Copying copying(ChunkRepair attempt);

    /** Accounts for an attempt that begins, or that an earlier leader began. */
    void begun(ChunkRepair attempt, GroupFacts group);

    /**
     * Accounts for an attempt whose chunk the log has placed.
     *
     * @param group as it was before
     */
    void committed(ChunkRepair attempt, GroupFacts group);

    /** Accounts for an attempt that ended without a new chunk. */
    void ended(ChunkRepair attempt, Verdict.End end);
}
