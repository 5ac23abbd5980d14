package io.ecfs.bench.koh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MixTest {
    private static final int DRAWS = 1_000_000;
    private static final int FILES = 5;
    private static final long FILE_BYTES = 10_000_000; // no multiple of any block
    private static final Offset<Double> ONE_PERCENT = within(0.01);

    private static List<MixOperation> draw(Mix mix, int count) {
        MixDraws draws = new MixDraws(mix, FILES, FILE_BYTES, 42);
        List<MixOperation> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(draws.next());
        }
        return all;
    }

    private static double share(List<MixOperation> of, Predicate<MixOperation> is) {
        return of.stream().filter(is).count() / (double) of.size();
    }

    /** Table II, written again. */
    @ParameterizedTest
    @CsvSource({
        "DB, table, 83.3, 100, 80, 1, 8",
        "DB, log, 16.7, 100, 0, 80, 8",
        "VDI, desktop, 100, 99, 26.3, 15.2, 4",
        "EDA, frontend, 66, 40, 37.5, 42.5, 64",
        "EDA, backend, 33, 100, 50, 100, 64",
        "VDA, stream, 90, 100, 0, 100, 512",
        "VDA, companion, 10, 91, 98.9, 5.5, 512"
    })
    void sharesAreThoseOfTheTable(
            Mix mix, String name, double share, double data, double reads, double sequential, int kib) {
        List<MixOperation> all = draw(mix, DRAWS);
        List<MixOperation> own = all.stream()
                .filter(operation -> operation.component().name().equals(name))
                .toList();
        assertThat(own.size() / (double) DRAWS).isCloseTo(share / 100, ONE_PERCENT);
        List<MixOperation> transfers = own.stream()
                .filter(operation -> operation.request().kind() != IoKind.METADATA)
                .toList();
        assertThat(transfers.size() / (double) own.size()).isCloseTo(data / 100, ONE_PERCENT);
        assertThat(share(transfers, operation -> operation.request().kind() == IoKind.READ))
                .isCloseTo(reads / 100, ONE_PERCENT);
        assertThat(share(transfers, operation -> operation.pattern() == AccessPattern.SEQUENTIAL))
                .isCloseTo(sequential / 100, within(Math.min(0.01, 0.5 * sequential / 100)));
        double main = name.equals("stream") ? 1 : 0.75;
        assertThat(share(transfers, operation -> operation.request().bytes() == kib * 1024))
                .isCloseTo(main, ONE_PERCENT);
        assertThat(share(transfers, operation -> operation.request().bytes() == kib * 512))
                .isCloseTo((1 - main) / 2, ONE_PERCENT);
        assertThat(share(transfers, operation -> operation.request().bytes() == kib * 2048))
                .isCloseTo((1 - main) / 2, ONE_PERCENT);
    }

    @ParameterizedTest
    @EnumSource
    void sequentialOnesGoOnWhereTheOneBeforeEnded(Mix mix) {
        Map<List<Object>, Long> ends = new HashMap<>();
        int continued = 0;
        for (MixOperation operation : draw(mix, 100_000)) {
            Request request = operation.request();
            if (request.kind() == IoKind.METADATA || operation.pattern() == AccessPattern.RANDOM) {
                continue;
            }
            List<Object> place = List.of(operation.component().name(), request.file());
            long end = ends.getOrDefault(place, 0L);
            if (request.position() == 0) {
                assertThat(end == 0 || end + request.bytes() > FILE_BYTES).isTrue();
            } else {
                assertThat(request.position()).isEqualTo(end);
                continued++;
            }
            ends.put(place, request.position() + request.bytes());
        }
        assertThat(continued).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void positionsAreAlignedAndWithinTheFile(Mix mix) {
        boolean[] files = new boolean[FILES];
        long furthest = 0;
        for (MixOperation operation : draw(mix, 100_000)) {
            Request request = operation.request();
            files[request.file()] = true;
            if (request.kind() == IoKind.METADATA) {
                continue;
            }
            assertThat(request.position() % mix.leastBytes()).isZero();
            if (operation.pattern() == AccessPattern.RANDOM) {
                assertThat(request.position() % request.bytes()).isZero();
            }
            assertThat(request.position() + request.bytes()).isLessThanOrEqualTo(FILE_BYTES);
            furthest = Math.max(furthest, request.position() + request.bytes());
        }
        assertThat(files).doesNotContain(false);
        assertThat(furthest).isGreaterThan(FILE_BYTES - 2L * mix.mostBytes());
    }

    @Test
    void oneSeedGivesTheSameOperations() {
        assertThat(draw(Mix.EDA, 1000)).isEqualTo(draw(Mix.EDA, 1000));
        MixDraws other = new MixDraws(Mix.EDA, FILES, FILE_BYTES, 43);
        List<MixOperation> drawn = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            drawn.add(other.next());
        }
        assertThat(drawn).isNotEqualTo(draw(Mix.EDA, 1000));
    }

    @Test
    void aProcessOfOneComponentStaysWithItAndItsFile() {
        MixComponent stream = Mix.VDA.components().get(0);
        MixDraws draws = new MixDraws(Mix.VDA, FILES, FILE_BYTES, 1);
        for (int i = 0; i < 10; i++) {
            MixOperation operation = draws.next(stream, 2);
            assertThat(operation.component()).isEqualTo(stream);
            assertThat(operation.request()).isEqualTo(new Request(IoKind.WRITE, 2, i * 524_288L, 524_288));
        }
    }

    @Test
    void streamsOfVideoHaveTheirRateAndNothingElseHas() {
        MixComponent stream = Mix.VDA.components().get(0);
        assertThat(stream.isRateLimited()).isTrue();
        assertThat(stream.interval(4_500_000)).isEqualTo(Duration.ofSeconds(1));
        for (Mix mix : Mix.values()) {
            for (MixComponent component : mix.components()) {
                assertThat(component.isRateLimited()).isEqualTo(component.equals(stream));
            }
        }
        assertThat(Mix.DB.components().get(0).interval(8192)).isEqualTo(Duration.ZERO);
    }

    @Test
    void badChoicesSayWhatToDo() {
        assertThatThrownBy(() -> Mix.parse("vdx"))
                .hasMessage("no mix 'vdx', did you mean 'vdi'? There are db, vdi, eda, vda");
        assertThatThrownBy(() -> new MixDraws(Mix.VDA, 1, 1 << 19, 1)).hasMessageContaining("at least 1048576");
        assertThatThrownBy(() -> new MixDraws(Mix.VDA, 0, 1 << 20, 1)).hasMessageContaining("at least 1 file");
        assertThat(Mix.parse("eda").processes()).containsExactly(250);
        assertThat(Mix.parse("db").processes()).containsExactly(110, 1100);
    }
}
