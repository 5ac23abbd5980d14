package io.ecfs.bench.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.transfer.ChunkPayload;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small form, on real daemons; a run that ends has compared every file with what was written. */
@Timeout(300)
class RelayBenchTest {
    private static final int WRITERS = 20;
    private static final Policy POLICY = Policy.parse("rs-4-2-4k");
    private static final long STRIPE = 6L * ChunkPayload.payloadBytes(4096);

    @TempDir
    private Path directory;

    private RelayPlan plan(int writers, int fileBytes) {
        return new RelayPlan(
                POLICY,
                writers,
                fileBytes,
                2,
                Optional.of(directory),
                List.of("datanode.store.reserveBytes=1m", "namenode.settings.minFreeBytes=1m"));
    }

    private Map<RelayCase, RelayResult> results() throws Exception {
        Map<RelayCase, RelayResult> results = new EnumMap<>(RelayCase.class);
        new RelayBench(plan(WRITERS, 100_000))
                .run(result -> results.put(result.of(), result), (share, doing) -> {}, (ready, of, waitingFor) -> {});
        return results;
    }

    @Test
    void relaysStayWithinTheirBoundsAndRefusedWritersEncodeThemselves() throws Exception {
        Map<RelayCase, RelayResult> results = results();
        assertThat(results).containsOnlyKeys(RelayCase.values());

        RelayResult configured = results.get(RelayCase.CONFIGURED);
        assertThat(configured.relays().mostRelays()).isEqualTo(WRITERS);
        assertThat(configured.relays().refused()).isZero();
        assertThat(configured.fallbacks()).isEmpty();
        assertThat(configured.relays().mostBytes())
                .as("two stripes for each writer, one of them in the window, at most")
                .isBetween(STRIPE, 2 * WRITERS * STRIPE);
        assertThat(configured.relays().bytes()).isZero();

        RelayResult number = results.get(RelayCase.NUMBER);
        assertThat(number.bounds().most()).isEqualTo(WRITERS / 4);
        assertThat(number.relays().mostRelays()).isEqualTo(WRITERS / 4);
        assertThat(number.allFallbacks()).isBetween(WRITERS - WRITERS / 4L, (long) WRITERS);

        RelayResult bytes = results.get(RelayCase.BYTES);
        assertThat(bytes.bounds().bytes()).isEqualTo(8 * STRIPE);
        assertThat(bytes.relays().mostBytes()).isLessThanOrEqualTo(8 * STRIPE);
        assertThat(bytes.relays().refused()).isPositive();
        assertThat(bytes.fallbacks()).containsKey(ErrorCode.BUSY);

        assertThat(results.values()).allSatisfy(result -> {
            assertThat(result.figures()).isNotEmpty().allSatisfy(figure -> {
                assertThat(figure.value()).isPositive();
                assertThat(figure.params()).containsKeys("case", "writers", "refused", "fallbacks", "relay_bytes");
            });
            assertThat(result.memory().residentBytes()).isPositive();
        });
        assertThat(RelayResult.table(List.copyOf(results.values())).rows()).hasSize(3);
    }

    @Test
    void badPlansNameTheNearestGoodOne() {
        assertThatThrownBy(() -> plan(0, 100_000)).hasMessageEndingWith("got 0; nearest is 1");
        assertThatThrownBy(() -> plan(50, 1000)).hasMessageEndingWith("got 1000; nearest is 98304");
        assertThatThrownBy(() -> new RelayPlan(Policy.parse("rs-2-1-4k"), 50, 100_000, 2, Optional.empty(), List.of()))
                .hasMessageContaining("--policy must have 4 chunks or more");
    }
}
