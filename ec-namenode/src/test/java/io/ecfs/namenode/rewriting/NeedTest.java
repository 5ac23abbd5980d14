package io.ecfs.namenode.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.PackPlace;
import io.ecfs.layout.Policy;
import io.ecfs.namenode.group.RewritePiece;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NeedTest {
    private static final Policy POLICY = Policy.parse("rs-2-1-4k");
    private static final long TINY = 100;
    private static final long FILES = 40;

    /** The room that its chunks need depends on it: 4000 bytes of users take 40 blocks. */
    @Test
    void theLengthOfANewGroupOfTinyFilesHasTheGapsBetweenThem() {
        List<RewritePiece> pieces = LongStream.range(0, FILES)
                .mapToObj(file ->
                        new RewritePiece(new InodeId(100 + file), new Extent(0, TINY, new GroupId(9), file * TINY)))
                .toList();
        assertThat(new Need.Rewrite(POLICY, pieces, RewriteReason.CLEANING).length())
                .isEqualTo((FILES - 1) * PackPlace.ALIGNMENT + TINY);
    }
}
