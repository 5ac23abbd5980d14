package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.CodeFamily;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

    @Test
    void aCodeOfLongCellsHasItsShortestCellAsDefault() {
        assertThat(Policy.parse("clay-12-9-20").name()).isEqualTo("clay-12-9-20-2916k");
        assertThat(Policy.parse("clay-32-32-63").name()).isEqualTo("clay-32-32-63-1024k");
    }

    @Test
    void theNearestChoiceThatARefusalNamesIsValid() {
        Pattern nearest = Pattern.compile("nearest(?: valid)? is (\\S+)$");
        List<String> families = Stream.concat(
                        Arrays.stream(CodeFamily.values()).map(CodeFamily::label),
                        Stream.of("", "r", "lcr", "clay-", "x-2-y"))
                .toList();
        int[] edges = {0, 1, 2, 3, 9, 16, 17, 31, 61, 62, 128, 254, 255, 256, 999_999, 1_000_000};
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder(families.get(random.nextInt(families.size())));
            for (int n = random.nextInt(5); n > 0; n--) {
                name.append('-')
                        .append(random.nextBoolean() ? edges[random.nextInt(edges.length)] : random.nextInt(40));
            }
            name.append(List.of("", "-x", "-1024k", "-12345678k", "-" + random.nextInt(10_000) + "k")
                    .get(random.nextInt(5)));
            try {
                Policy policy = Policy.parse(name.toString());
                assertThat(Policy.parse(policy.name())).as(name.toString()).isEqualTo(policy);
            } catch (IllegalArgumentException refusal) {
                Matcher told = nearest.matcher(refusal.getMessage());
                assertThat(told.find()).as(name + ": " + refusal.getMessage()).isTrue();
                assertThatCode(() -> Policy.parse(told.group(1)))
                        .as(name + ": " + refusal.getMessage())
                        .doesNotThrowAnyException();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3-0k", "rs-6-3-3k", "rs-6-3-9999k", "rs-6-3-9999999k", "clay-6-3-8-64k"})
    void aBadCellSizeIsRefusedWithTheNearestValidOne(String name) {
        assertThatThrownBy(() -> Policy.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nearest is");
    }

    @Test
    void aRefusedCellSizeSaysWhichSizesThereAreAndWhichIsNearest() {
        assertThatThrownBy(() -> Policy.parse("rs-6-3-1022k"))
                .hasMessageContaining("from 4k to 8192k")
                .hasMessageEndingWith("nearest is rs-6-3-1024k");
        assertThatThrownBy(() -> Policy.parse("rs-6-3-13k")).hasMessageEndingWith("nearest is rs-6-3-12k");
        assertThatThrownBy(() -> Policy.parse("clay-6-3-8-64k")).hasMessageContaining("from 108k to 8192k");
    }

    /** Also the neighbours of the digits among the characters. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3-1o24k", "rs-6-3-10/4k", "rs-6-3-10:4k", "rs-6-3-k", "rs-6-3-00001024k", "-1024k"})
    void whatIsNoCellSizeIsRefusedWithAPolicyThatThereIs(String name) {
        assertThatThrownBy(() -> Policy.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nearest");
    }

    @Test
    void aCellSizeMayBeginWithAnyDigit() {
        for (int kib : new int[] {8, 100, 1000, 2048, 8192}) {
            assertThat(Policy.parse("rs-6-3-" + kib + "k").cellBytes()).isEqualTo(kib * 1024);
        }
        assertThat(Policy.parse("rs-6-3-900k").name()).isEqualTo("rs-6-3-900k");
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
