package io.ecfs.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.torture.history.Run;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whether bytes tell whose they are. */
class TaggedBytesTest {
    @Test
    void anySequenceOfBeginningsIsReadBackAsWritten() {
        SplittableRandom random = new SplittableRandom(18);
        for (int file = 0; file < 3000; file++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            List<Run> written = new ArrayList<>();
            int runs = random.nextInt(5);
            for (int run = 0; run < runs; run++) {
                long tag = random.nextLong(1L << 32);
                int length = random.nextInt(8, 200);
                bytes.writeBytes(TaggedBytes.of(tag, 0, length));
                written.add(new Run(tag, length));
            }
            assertThat(TaggedBytes.runs(bytes.toByteArray()))
                    .as("file %d", file)
                    .contains(written);
        }
    }

    @Test
    void aBeginningTooShortToNameItsTagIsSoMuchOfSomebody() {
        byte[] whole = TaggedBytes.of(7, 0, 100);
        byte[] cut = java.util.Arrays.copyOf(whole, 105);
        System.arraycopy(TaggedBytes.of(9, 0, 5), 0, cut, 100, 5);

        assertThat(TaggedBytes.runs(cut)).contains(List.of(new Run(7, 100), Run.unnamed(5)));
    }

    @Test
    void aFlippedBitASwappedWordAndZerosAreNobodys() {
        byte[] flipped = TaggedBytes.of(7, 0, 4000);
        flipped[2000] ^= 4;
        byte[] shifted = TaggedBytes.of(7, 8, 4000);
        byte[] zeros = TaggedBytes.of(7, 0, 4000);
        java.util.Arrays.fill(zeros, 1000, 2000, (byte) 0);

        assertThat(TaggedBytes.runs(flipped)).isEmpty();
        assertThat(TaggedBytes.runs(shifted)).isEmpty();
        assertThat(TaggedBytes.runs(zeros)).isEmpty();
        assertThat(TaggedBytes.describe(shifted)).contains("word 1 of tag 7");
    }
}
