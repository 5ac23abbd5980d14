package io.ecfs.client.write.pack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchPacingTest {
    private static final long MILLI = 1_000_000;

    private final BatchPacing pacing = new BatchPacing();

    @Test
    void theFirstFileIsABatch() {
        assertThat(delay(1, 100, false, 0)).isZero();
    }

    @Test
    void filesWaitForACommitUnderWayUnlessTheyHaveManyBytes() {
        assertThat(delay(7, 700_000, true, 0)).isEqualTo(BatchPacing.UNTIL_COMMITTED);
        assertThat(delay(11, BatchPacing.MANY_BYTES, true, 0)).isZero();
    }

    @Test
    void theNextBatchWaitsForAsManyFilesAsWereClosedTogether() {
        pacing.answered(3, 2, 0, 4 * MILLI);
        assertThat(delay(2, 200, false, 5 * MILLI)).isEqualTo(3 * MILLI);
        assertThat(delay(4, 400, false, 7 * MILLI)).isEqualTo(MILLI);
        assertThat(delay(5, 500, false, 7 * MILLI)).isZero();
    }

    @Test
    void itWaitsAtMostAsLongAsTheLastBatchTookAndAtMostTenMilliseconds() {
        pacing.answered(3, 2, 0, 4 * MILLI);
        assertThat(delay(2, 200, false, 8 * MILLI)).isZero();
        pacing.answered(3, 2, 0, 90 * MILLI);
        assertThat(delay(2, 200, false, 91 * MILLI)).isEqualTo(9 * MILLI);
    }

    @Test
    void aWriterThatIsAloneNeverWaits() {
        pacing.answered(1, 0, 0, 4 * MILLI);
        assertThat(delay(1, 100, false, 4 * MILLI)).isZero();
    }

    private long delay(int files, long bytes, boolean committing, long now) {
        return pacing.delayNanos(files, bytes, committing, now);
    }
}
