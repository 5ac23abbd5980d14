package io.ecfs.namenode.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.wire.codec.MessageCodec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OlderPeersTest {
    private static final FileStatus PLAIN = new FileStatus(
            new FilePath("/d"), new InodeId(7), true, 0, false, 0755, "u", "g", 1, 2, Policy.parse("rs-3-2-1024k"));
    private static final FileStatus SIDED =
            PLAIN.with(Optional.of(EncodingSide.MASTER)).packedUpTo(Optional.of(4096L));

    private static byte[] sent(Message answer, int level) {
        return new MessageCodec().encode(OlderPeers.answer(answer, level));
    }

    @Test
    void aPeerOfLevelOneGetsTheBytesOfLevelOne() {
        MessageCodec codec = new MessageCodec();
        assertThat(sent(new NamespaceReply.Status(SIDED), FeatureLevel.FIRST))
                .isEqualTo(codec.encode(new NamespaceReply.Status(PLAIN)));
        assertThat(sent(new NamespaceReply.Listing(List.of(SIDED, PLAIN), true), FeatureLevel.FIRST))
                .isEqualTo(codec.encode(new NamespaceReply.Listing(List.of(PLAIN, PLAIN), true)));
    }

    @Test
    void aPeerOfLevelTwoGetsTheSideAndTheLimitOfPacking() {
        Message answer = new NamespaceReply.Status(SIDED);
        assertThat(sent(answer, FeatureLevel.ENCODING_SIDES))
                .isEqualTo(new MessageCodec().encode(answer))
                .isNotEqualTo(sent(answer, FeatureLevel.FIRST));
    }
}
