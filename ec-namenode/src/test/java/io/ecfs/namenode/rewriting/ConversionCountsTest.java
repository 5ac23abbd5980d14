package io.ecfs.namenode.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.report.Conversion.Progress;
import org.junit.jupiter.api.Test;

class ConversionCountsTest {
    /** A question of which no entry comes, as while another one is under way, does not count as an entry. */
    @Test
    void progressIsNewUntilItWasRecorded() {
        ConversionCounts counts = new ConversionCounts(Progress.NONE, () -> 0);
        assertThat(counts.advanced()).isFalse();
        counts.converted();
        Progress first = counts.progress();
        assertThat(counts.advanced()).isTrue();
        assertThat(counts.advanced()).isTrue();
        counts.converted();
        counts.recorded(first);
        assertThat(counts.advanced()).as("converted meanwhile").isTrue();
        counts.recorded(counts.progress());
        assertThat(counts.advanced()).isFalse();
    }
}
