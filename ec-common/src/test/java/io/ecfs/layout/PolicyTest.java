package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                "rs-10-4-8192k",
                "clay-6-3-8-1024k",
                "liberation-4-2-1024k",
                "crs-4-2-8-512k",
                "rs-van-6-3-1024k"
            })
    void aNameReadBackIsTheSameName(String name) {
        assertThat(Policy.parse(name).name()).isEqualTo(name);
    }

    @Test
    void aCodeWithoutCellSizeGetsTheDefault() {
        assertThat(Policy.parse("rs-6-3").name()).isEqualTo("rs-6-3-1024k");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3-0k", "rs-6-3-3k", "rs-6-3-9999k", "rs-6-3-9999999k", "clay-6-3-8-64k"})
    void aBadCellSizeIsRefusedWithTheNearestValidOne(String name) {
        assertThatThrownBy(() -> Policy.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nearest is");
    }

    /** The largest multiple of lcm(16 alpha, 4096) that is not above the size in the name. */
    @ParameterizedTest
    @CsvSource({
        "rs-6-3-1024k, 1024",
        "clay-4-2-5-1024k, 1024",
        "clay-6-3-8-1024k, 972",
        "clay-6-3-8-108k, 108",
        "clay-10-4-12-1024k, 972",
        "liberation-4-2-1024k, 1008",
        "crs-6-3-1024k, 1024",
        "lrc-12-2-2-1000k, 1000"
    })
    void cellsAreTheLargestSizeUpToTheNominalOneThatTheCodeDivides(String name, int kib) {
        assertThat(Policy.parse(name).cellBytes()).isEqualTo(kib * 1024);
        assertThat(Policy.parse(name).name()).isEqualTo(name);
    }

    @Test
    void aCellOfLessThanOneUnitIsRefusedWithTheSmallestPolicy() {
        assertThatThrownBy(() -> Policy.parse("clay-6-3-8-104k")).hasMessageEndingWith("nearest is clay-6-3-8-108k");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "rs",
                "rs-6",
                "sr-6-3-1024k",
                "rs-0-3-1024k",
                "rs-253-3-1024k",
                "rs-6-3-1024",
                "replication-0"
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
