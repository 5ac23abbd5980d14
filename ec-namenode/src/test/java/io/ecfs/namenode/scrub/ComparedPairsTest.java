package io.ecfs.namenode.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.ChunkOnVolume;
import org.junit.jupiter.api.Test;

class ComparedPairsTest {
    private final ComparedPairs<Integer> pairs = new ComparedPairs<>();

    private static ChunkOnVolume old(int number) {
        return new ChunkOnVolume(new VolumeId(1), new ChunkId(new GroupId(number), 0, 0));
    }

    @Test
    void noMoreThanTheBoundAreRememberedHoweverManyThereAre() {
        for (int i = 1; i <= ComparedPairs.MOST + 5; i++) {
            pairs.put(old(i), i);
        }
        assertThat(pairs.size()).isEqualTo(ComparedPairs.MOST);
        assertThat(pairs.find(old(5))).isEmpty();
        assertThat(pairs.find(old(6))).contains(6);
        assertThat(pairs.find(old(ComparedPairs.MOST + 5))).contains(ComparedPairs.MOST + 5);
    }

    @Test
    void whatIsKnownAnewOfOneMakesNoOtherForgotten() {
        for (int i = 1; i <= ComparedPairs.MOST; i++) {
            pairs.put(old(i), i);
        }
        pairs.put(old(7), 0);
        assertThat(pairs.size()).isEqualTo(ComparedPairs.MOST);
        assertThat(pairs.find(old(7))).contains(0);
    }
}
