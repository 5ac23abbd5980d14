package io.ecfs.console.web.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.console.web.history.History.Range;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** History over restarts of the console. */
class HistoryTest {
    private static final long BEGIN = 1_764_000_000_000L;

    @TempDir
    private Path directory;

    private long now = BEGIN;

    private History history() {
        return new History(directory, 100, now);
    }

    private void run(History history, Duration time, Duration step) {
        for (long end = now + time.toMillis(); now < end; now += step.toMillis()) {
            history.add(now, Map.of("a", (double) (now - BEGIN), "b", 1.0));
        }
    }

    private static JsonNode times(History history, Range range) {
        return history.json(range, List.of(), 1000).get("at");
    }

    @Test
    void aDayIsShownByMeansOfMinutes() {
        History history = history();
        run(history, Duration.ofMinutes(10), Duration.ofSeconds(2));
        history.add(now, Map.of());
        JsonNode day = history.json(Range.DAY, List.of("a"), 1000);
        assertThat(day.get("at")).hasSize(10);
        assertThat(day.at("/series/a/0").asDouble()).isEqualTo(29_000);
    }

    @Test
    void groupsUnavailableForSecondsAreSeenInTheWeek() {
        History history = history();
        history.add(now, Map.of("groups.lost", 3.0));
        for (int i = 0; i < 100; i++) {
            now += 6_000;
            history.add(now, Map.of("groups.lost", 0.0));
        }
        assertThat(history.json(Range.WEEK, List.of(), 10)
                        .at("/series/groups.lost")
                        .get(0)
                        .asDouble())
                .isEqualTo(3);
    }

    @Test
    void aRestartLosesNoMeanThatWasComplete() {
        run(history(), Duration.ofDays(2), Duration.ofSeconds(30));
        History again = history();
        assertThat(times(again, Range.HOUR)).hasSizeBetween(118, 120);
        assertThat(again.json(Range.DAY, List.of("a"), 1440 / 2).get("at")).hasSizeBetween(718, 720);
        assertThat(times(again, Range.WEEK)).hasSizeBetween(286, 288);
        assertThat(again.json(Range.WEEK, List.of("b"), 300).at("/series/b/5").asDouble())
                .isEqualTo(1);
    }

    @Test
    void aTornTailIsSkippedAndWrittenPast() throws IOException {
        run(history(), Duration.ofMinutes(5), Duration.ofSeconds(10));
        Path file = directory.resolve("history-10s.jsonl");
        Files.writeString(file, "[176400", StandardOpenOption.APPEND);
        History again = history();
        again.add(now, Map.of("c", 1.0));
        now += 10_000;
        again.add(now, Map.of("c", 1.0));
        assertThat(times(history(), Range.HOUR)).hasSize(30);
    }

    @Test
    void filesStayBoundedWhateverTheTime() throws IOException {
        History history = history();
        run(history, Duration.ofHours(5), Duration.ofSeconds(5));
        try (Stream<String> lines = Files.lines(directory.resolve("history-10s.jsonl"))) {
            assertThat(lines.count()).isLessThanOrEqualTo(361);
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.count()).isLessThanOrEqualTo(6);
        }
    }

    @Test
    void aFileThatIsRemovedBeginsAgainWithItsNames() throws IOException {
        History history = history();
        run(history, Duration.ofMinutes(1), Duration.ofSeconds(10));
        Files.delete(directory.resolve("history-10s.jsonl"));
        run(history, Duration.ofMinutes(1), Duration.ofSeconds(10));

        assertThat(times(history(), Range.HOUR)).hasSizeBetween(5, 6);
    }

    @Test
    void aSeriesThatComesAndGoesHasNulls() {
        History history = history();
        run(history, Duration.ofMinutes(2), Duration.ofSeconds(10));
        history.add(now, Map.of("c", 5.0));
        now += 60_000;
        history.add(now, Map.of("c", 5.0));
        JsonNode day = history().json(Range.DAY, List.of(), 100);
        assertThat(day.at("/series/c").toString()).isEqualTo("[null,null,5.0]");
        assertThat(day.at("/series/b/2").isNull()).isTrue();
    }

    @Test
    void aFailingDiskLeavesTheHistoryInMemory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        History history = new History(file, 100, now);
        run(history, Duration.ofMinutes(3), Duration.ofSeconds(10));
        assertThat(times(history, Range.DAY)).hasSize(2);
    }
}
