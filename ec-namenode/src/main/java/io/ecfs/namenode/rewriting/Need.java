package io.ecfs.namenode.rewriting;

import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.namenode.group.RewriteLayout;
import io.ecfs.namenode.group.RewritePiece;
import java.util.List;

/** What a {@link RewriteJob} needs now. */
sealed interface Need {
    /** To have these bytes in a new group. */
    record Rewrite(Policy policy, List<RewritePiece> pieces, RewriteReason reason) implements Need {
        /** Bytes of the new group, gaps included. */
        long length() {
            return RewriteLayout.of(policy, pieces).length();
        }
    }

    /** To have a policy adopted by a file without bytes under another one. */
    record Adoption(Policy policy, InodeId file) implements Need {}

    /** To go on with its walk. */
    record Turn() implements Need {}

    /** Nothing but that time passes, or rewrites end. */
    record Nothing() implements Need {}
}
