package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ParityCheck.Finding;
import io.ecfs.code.ParityCheck.Verdict;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParityCheckTest {
    private static final int SUB_CHUNK_BYTES = 64;

    private static ByteBuffer[] stripe(ErasureCode code) {
        return Cells.stripe(code, SUB_CHUNK_BYTES * code.subChunks());
    }

    private static void damage(ByteBuffer cell, int at) {
        cell.put(cell.position() + at, (byte) (cell.get(cell.position() + at) ^ 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-3-2",
                "rs-6-3",
                "rs-van-4-4",
                "replication-3",
                "lrc-6-2-2",
                "clay-4-2-5",
                "crs-4-2",
                "liberation-4-2"
            })
    void oneWrongCellIsNamedWhicheverItIsAndNoneWhenAllAreRight(String name) {
        ErasureCode code = Cells.code(name);
        ParityCheck check = new ParityCheck(code);
        assertThat(check.judge(stripe(code))).isEqualTo(Verdict.ALIKE);
        for (int index = 0; index < code.chunks(); index++) {
            ByteBuffer[] stripe = stripe(code);
            damage(stripe[index], 5 * index % SUB_CHUNK_BYTES);
            Verdict verdict = check.judge(stripe);
            assertThat(verdict.finding()).as("cell %s", index).isEqualTo(Finding.ONE_WRONG);
            assertThat(verdict.index()).hasValue(index);
        }
    }

    @Test
    void withOneParityNobodyIsBlamed() {
        ErasureCode code = Cells.code("xor-3-1");
        for (int index = 0; index < code.chunks(); index++) {
            ByteBuffer[] stripe = stripe(code);
            damage(stripe[index], 3);
            assertThat(new ParityCheck(code).judge(stripe)).isEqualTo(Verdict.UNCLEAR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2", "rs-6-3", "replication-3"})
    void twoWrongCellsAreBlamedOnNoThird(String name) {
        ErasureCode code = Cells.code(name);
        for (int one = 0; one < code.chunks(); one++) {
            for (int other = 0; other < one; other++) {
                ByteBuffer[] stripe = stripe(code);
                damage(stripe[one], 3);
                damage(stripe[other], 40);
                assertThat(new ParityCheck(code).judge(stripe))
                        .as("%s and %s", one, other)
                        .isEqualTo(Verdict.UNCLEAR);
            }
        }
    }
}
