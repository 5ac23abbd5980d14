package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-6-3-1024k",
                "rs-2-2-64k",
                "xor-2-1-1024k",
                "replication-3",
                "replication-3-256k",
                "rs-10-4-8192k"
            })
    void aNameReadBackIsTheSameName(String name) {
        assertThat(Policy.parse(name).name()).isEqualTo(name);
    }

    @Test
    void aCodeWithoutCellSizeGetsTheDefault() {
        assertThat(Policy.parse("rs-6-3").name()).isEqualTo("rs-6-3-1024k");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3-0k", "rs-6-3-3k", "rs-6-3-9999k", "rs-6-3-9999999k"})
    void aBadCellSizeIsRefusedWithTheNearestValidOne(String name) {
        assertThatThrownBy(() -> Policy.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nearest is");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "rs", "rs-6", "sr-6-3-1024k", "rs-0-3-1024k", "rs-30-3-1024k", "rs-6-3-1024", "replication-0"
            })
    void whatIsNoPolicyIsRefused(String name) {
        assertThatThrownBy(() -> Policy.parse(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aGroupIsWholeStripesOfAtMostTheLargestChunk() {
        Policy policy = Policy.parse("rs-6-3-1000k");
        assertThat(policy.groupBytes() % policy.stripeBytes()).isZero();
        assertThat(policy.groupBytes() / policy.dataChunks()).isLessThanOrEqualTo(Policy.MAX_CHUNK_BYTES);
    }
}
