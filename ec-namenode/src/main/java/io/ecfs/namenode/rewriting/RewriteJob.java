package io.ecfs.namenode.rewriting;

import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Optional;

/**
 * Chooses bytes to rewrite, step by step, and receives the outcome of each rewrite. Owner thread: the namenode's event
 * thread.
 */
interface RewriteJob {
    /** Returns whether a rewrite may take the room that is reserved for those that free more than they take. */
    boolean freesSpace();

    /** Returns whether it changes nothing at present: nothing blocks it. */
    boolean onlyCounts();

    /** One step. */
    Need next(MetadataView view);

    /** @param reason why nothing is rewritten now; empty: it goes on */
    void blocked(Optional<String> reason);

    /** A rewrite cannot begin now. */
    void putBack(Need.Rewrite rewrite);

    /** The bytes are in a new group, but for those of files that were refused. */
    void rewritten(MetadataView view, List<RewritePiece> pieces, List<RefusedFile> refused);

    /** The bytes are where they were. */
    void notRewritten(MetadataView view, List<RewritePiece> pieces, String reason);

    /** @param reason why a file has not adopted a policy; empty: it has */
    void adopted(MetadataView view, InodeId file, Optional<String> reason);
}
