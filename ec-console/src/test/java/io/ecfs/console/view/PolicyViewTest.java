package io.ecfs.console.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.layout.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyViewTest {
    private static final Policy DEFAULT = Policy.parse("rs-6-3-1024k");

    @ParameterizedTest
    @CsvSource({
        "rs-6-3-1024k, 6, 3, 1048576, 1.5, 3, 6",
        "rs-3-2-64k, 3, 2, 65536, 1.6667, 2, 3",
        "replication-3, 1, 2, 1048576, 3, 2, 1",
        "xor-2-1-64k, 2, 1, 65536, 1.5, 1, 2",
        "lrc-12-2-2-64k, 12, 4, 65536, 1.3333, 3, 6"
    })
    void aPolicyIsShownWithItsCosts(
            String name, int k, int m, int cellBytes, double overhead, int losses, double repairChunks) {
        PolicyView view = PolicyView.of(Policy.parse(name), DEFAULT);
        assertThat(view.name()).isEqualTo(name);
        assertThat(view.k()).isEqualTo(k);
        assertThat(view.m()).isEqualTo(m);
        assertThat(view.cellBytes()).isEqualTo(cellBytes);
        assertThat(view.overhead()).isCloseTo(overhead, within(1e-4));
        assertThat(view.lossesSurvived()).isEqualTo(losses);
        assertThat(view.repairChunks()).isEqualTo(repairChunks);
    }

    @Test
    void onlyTheClustersPolicyIsTheDefault() {
        assertThat(PolicyView.of(DEFAULT, DEFAULT).isDefault()).isTrue();
        assertThat(PolicyView.of(Policy.parse("rs-3-2"), DEFAULT).isDefault()).isFalse();
    }
}
