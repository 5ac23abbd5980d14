package io.ecfs.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Answer.Hole;
import io.ecfs.torture.history.Run;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is found of a file that has holes. */
class ReadInPartsTest {
    private static final List<Long> CELLS = List.of(100L, 200L, 300L, 350L);
    private static final byte[] BYTES = TaggedBytes.of(7, 0, 350);

    @Test
    void theFirstBytesOfEachCellAreFoundToTheByte() throws IOException {
        assertThat(lost(BYTES, new Hole(160, 200)))
                .isEqualTo(new Answer.Lost(350, List.of(new Run(7, 160)), List.of(new Hole(160, 200)), "why"));
        assertThat(lost(BYTES, new Hole(101, 200), new Hole(349, 350)))
                .isEqualTo(new Answer.Lost(
                        350, List.of(new Run(7, 101)), List.of(new Hole(101, 200), new Hole(349, 350)), "why"));
    }

    @Test
    void holesOfCellsNextToEachOtherAreOne() throws IOException {
        assertThat(lost(BYTES, new Hole(0, 350)))
                .isEqualTo(new Answer.Lost(350, List.of(), List.of(new Hole(0, 350)), "why"));
    }

    @Test
    void bytesOfNobodyBeforeAHoleAreWrong() throws IOException {
        byte[] wrong = BYTES.clone();
        wrong[20] ^= 1;

        assertThat(lost(wrong, new Hole(160, 200))).isInstanceOf(Answer.Wrong.class);
    }

    private static Answer lost(byte[] bytes, Hole... holes) throws IOException {
        ReadInParts.Part file = (from, into) -> {
            for (Hole hole : holes) {
                if (from < hole.to() && from + into.remaining() > hole.from()) {
                    throw new EcfsException(ErrorCode.GROUP_UNREADABLE, "bytes are gone");
                }
            }
            into.put(bytes, Math.toIntExact(from), into.remaining());
        };
        return new ReadInParts(file, CELLS).lost("why");
    }
}
