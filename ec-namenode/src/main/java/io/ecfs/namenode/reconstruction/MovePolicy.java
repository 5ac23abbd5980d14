package io.ecfs.namenode.reconstruction;

import io.ecfs.namenode.state.MetadataView;

/**
 * The rules of chunks with which nothing is wrong and that are to lie elsewhere, and the choice of them. Owner thread:
 * the namenode's event thread.
 */
public interface MovePolicy extends ReconstructionPolicy {
    /** Begins moves where there is room for them. */
    void plan(MetadataView view, RepairService repairs);
}
