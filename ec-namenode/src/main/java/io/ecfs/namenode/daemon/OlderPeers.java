package io.ecfs.namenode.daemon;

import io.ecfs.message.FeatureLevel;
import io.ecfs.message.Message;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import java.util.Optional;

/**
 * Answers without what a peer's release cannot read. Those with block tokens are not among them: such a peer is refused
 * before it gets one.
 */
final class OlderPeers {
    private OlderPeers() {}

    /** The answer for a peer of this feature level. */
    static Message answer(Message answer, int level) {
        if (level >= Math.max(FeatureLevel.ENCODING_SIDES, Math.max(FeatureLevel.PACKS, FeatureLevel.RINGS))) {
            return answer;
        }
        if (answer instanceof NamespaceReply.Status one) {
            return new NamespaceReply.Status(known(one.status()));
        }
        if (answer instanceof NamespaceReply.Listing page) {
            return new NamespaceReply.Listing(
                    page.entries().stream().map(OlderPeers::known).toList(), page.more());
        }
        return answer;
    }

    private static FileStatus known(FileStatus status) {
        return status.with(Optional.empty()).packedUpTo(Optional.empty()).inRing(Optional.empty());
    }
}
