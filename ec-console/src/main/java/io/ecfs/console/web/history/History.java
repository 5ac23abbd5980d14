package io.ecfs.console.web.history;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.env.real.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples of each metric for the last hour, day and week. They survive restarts of the console: each resolution is a
 * file, and is read back at the start. While files cannot be written, samples stay in memory.
 *
 * <pre>
 *   sample (2 s) --> hour, in memory
 *            `-----> mean of 10 s --> file, an hour      `--> mean of 1 min --> day      `--> mean of 10 min --> 8 days
 * </pre>
 *
 * One thread adds; any thread reads.
 */
public final class History {
    private static final Logger LOG = LoggerFactory.getLogger(History.class);
    /** Series of which a period has the maximum: groups that are unavailable for seconds are seen in the week. */
    private static final String GROUPS = "groups.";

    /** Samples of an hour. */
    private static final int LIVE = 1800;

    private final Samples live;
    private final Tier hour;
    private final Tier day;
    private final Tier week;
    private boolean failing;

    /** Period that a page can show. */
    public enum Range {
        HOUR,
        DAY,
        WEEK;

        /** @throws IllegalArgumentException naming those there are */
        public static Range parse(String text) {
            for (Range range : values()) {
                if (range.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return range;
                }
            }
            throw new IllegalArgumentException("range must be hour, day or week: '" + text + "'");
        }
    }

    /** Means of one length. */
    private final class Tier {
        private final long millis;
        private final Samples samples;
        private final SampleFile file;
        private final Map<String, DoubleSummaryStatistics> periods = new HashMap<>();
        private long period = Long.MIN_VALUE;
        private long lastMillis;

        Tier(Path directory, Duration length, Duration retained, int series) {
            this.millis = length.toMillis();
            int most = (int) (retained.toMillis() / millis);
            this.samples = new Samples(most, series);
            this.file = new SampleFile(directory.resolve("history-" + length.toSeconds() + "s.jsonl"), most);
        }

        void add(long nowMillis, Map<String, Double> values) {
            if (nowMillis / millis != period) {
                end();
                period = nowMillis / millis;
            }
            lastMillis = nowMillis;
            values.forEach((name, value) -> periods.computeIfAbsent(name, unused -> new DoubleSummaryStatistics())
                    .accept(value));
        }

        private void end() {
            if (periods.isEmpty()) {
                return;
            }
            Map<String, Double> means = new HashMap<>();
            periods.forEach((name, of) -> means.put(name, name.startsWith(GROUPS) ? of.getMax() : of.getAverage()));
            periods.clear();
            samples.add(lastMillis, means);
            try {
                file.append(lastMillis, means);
                failing = false;
            } catch (IOException e) {
                failed("write", e);
            }
        }
    }

    /**
     * @param directory of the files, made when it is missing
     * @param series most series; further ones are ignored
     * @param nowMillis later samples in the files are ignored
     */
    public History(Path directory, int series, long nowMillis) {
        this.live = new Samples(LIVE, series);
        this.hour = new Tier(directory, Duration.ofSeconds(10), Duration.ofHours(1), series);
        this.day = new Tier(directory, Duration.ofMinutes(1), Duration.ofDays(1), series);
        this.week = new Tier(directory, Duration.ofMinutes(10), Duration.ofDays(8), series);
        try {
            PrivateFiles.createDirectory(directory);
            load(hour, List.of(hour.samples, live), Duration.ofHours(1), nowMillis);
            load(day, List.of(day.samples), Duration.ofDays(1), nowMillis);
            load(week, List.of(week.samples), Duration.ofDays(8), nowMillis);
        } catch (IOException e) {
            failed("read", e);
        }
    }

    private static void load(Tier tier, List<Samples> into, Duration retained, long nowMillis) throws IOException {
        long[] last = {nowMillis - retained.toMillis()};
        tier.file.read((at, values) -> {
            if (at > last[0] && at <= nowMillis) {
                last[0] = at;
                into.forEach(samples -> samples.add(at, values));
            }
        });
    }

    /** Adds a sample of all series; for one thread. */
    public void add(long nowMillis, Map<String, Double> values) {
        live.add(nowMillis, values);
        for (Tier tier : List.of(hour, day, week)) {
            tier.add(nowMillis, values);
        }
    }

    /** Samples of a period; see {@link Samples#json}. */
    public ObjectNode json(Range range, List<String> prefixes, int points) {
        Samples samples = switch (range) {
            case HOUR -> live;
            case DAY -> day.samples;
            case WEEK -> week.samples;
        };
        return samples.json(prefixes, points);
    }

    /** One WARN for failures in a row. */
    private void failed(String doing, IOException e) {
        if (!failing) {
            failing = true;
            LOG.warn("event=history_failed doing={} reason=\"{}\"", doing, e.toString());
        }
    }
}
