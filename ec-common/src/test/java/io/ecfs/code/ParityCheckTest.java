package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    /** An absent cell is an erasure: k + 2 others tell which of them is wrong, k + 1 only that one is. */
    @Test
    void thePresentCellsShowTheWrongOneAsFarAsTheirNumberAllows() {
        ErasureCode code = Cells.code("rs-3-3");
        ChunkSet all = ChunkSet.range(0, 6);
        for (int absent = 0; absent < 6; absent++) {
            ChunkSet five = all.without(absent);
            assertThat(new ParityCheck(code).judge(stripe(code), five)).isEqualTo(Verdict.ALIKE);
            for (int wrong : five) {
                ByteBuffer[] stripe = stripe(code);
                damage(stripe[absent], 1); // not read
                damage(stripe[wrong], 3);
                Verdict verdict = new ParityCheck(code).judge(stripe, five);
                assertThat(verdict.index()).as("%s of %s", wrong, five).hasValue(wrong);
                int other = five.without(wrong).next(0);
                assertThat(new ParityCheck(code).judge(stripe, five.without(other)))
                        .as("%s of %s without %s", wrong, five, other)
                        .isEqualTo(Verdict.UNCLEAR);
                assertThat(new ParityCheck(code).judge(stripe, five.without(wrong)))
                        .isEqualTo(Verdict.ALIKE);
                assertThatThrownBy(() -> new ParityCheck(code).judge(stripe, ChunkSet.range(0, 3)))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    /** Codes whose chunks do not all stand for each other blame no right one for what they cannot tell. */
    @ParameterizedTest
    @ValueSource(strings = {"lrc-6-2-2", "shec-4-3-2", "clay-4-2-5", "liberation-4-2", "replication-4"})
    void noRightCellIsBlamedWhicheverIsAbsent(String name) {
        ErasureCode code = Cells.code(name);
        ChunkSet all = ChunkSet.range(0, code.chunks());
        for (int absent : all) {
            ChunkSet present = all.without(absent);
            if (!code.spec().redundant(present)) {
                continue;
            }
            assertThat(new ParityCheck(code).judge(stripe(code), present)).isEqualTo(Verdict.ALIKE);
            for (int wrong : present) {
                ByteBuffer[] stripe = stripe(code);
                damage(stripe[wrong], 3);
                Verdict verdict = new ParityCheck(code).judge(stripe, present);
                assertThat(verdict.finding()).as("%s of %s", wrong, present).isNotEqualTo(Finding.ALIKE);
                assertThat(verdict.index().stream().allMatch(blamed -> blamed == wrong))
                        .as("%s of %s: %s", wrong, present, verdict)
                        .isTrue();
            }
        }
    }
}
