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

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    /** A day more, so that the same weekday can be compared. */
    private static final Duration WEEK = Duration.ofDays(8);

    private final Samples live;
    private final Samples dayMeans;
    private final Samples weekMeans;
    private final List<Tier> tiers;

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
    private static final class Tier {
        private final long millis;
        private final long retained;
        private final Samples shown;
        private final boolean shownAsSampled;
        private final SampleFile file;
        private final Map<String, DoubleSummaryStatistics> periods = new HashMap<>();
        private long period = Long.MIN_VALUE;
        private long lastMillis;
        private boolean failing;

        /**
         * @param shown receives the means of an earlier process, and those of this one
         * @param shownAsSampled whether it has each sample of this process already
         */
        Tier(Path directory, Duration length, Duration retained, Samples shown, boolean shownAsSampled) {
            this.millis = length.toMillis();
            this.retained = retained.toMillis();
            this.shown = shown;
            this.shownAsSampled = shownAsSampled;
            this.file = new SampleFile(
                    directory.resolve("history-" + length.toSeconds() + "s.jsonl"), most(length, retained));
        }

        private void load(long nowMillis) {
            long[] last = {nowMillis - retained};
            try {
                file.read((at, values) -> {
                    if (at > last[0] && at <= nowMillis) {
                        last[0] = at;
                        shown.add(at, values);
                    }
                });
            } catch (IOException e) {
                failed("read", e);
            }
        }

        void add(long nowMillis, Map<String, Double> values) {
            if (nowMillis / millis != period) {
                end();
                period = nowMillis / millis;
            }
            lastMillis = nowMillis;
            values.forEach((name, value) -> {
                if (periods.containsKey(name) || periods.size() < shown.mostSeries()) {
                    periods.computeIfAbsent(name, unused -> new DoubleSummaryStatistics())
                            .accept(value);
                }
            });
        }

        private void end() {
            if (periods.isEmpty()) {
                return;
            }
            Map<String, Double> means = new HashMap<>();
            periods.forEach((name, of) -> means.put(name, name.startsWith(GROUPS) ? of.getMax() : of.getAverage()));
            periods.clear();
            if (!shownAsSampled) {
                shown.add(lastMillis, means);
            }
            try {
                file.append(lastMillis, means);
                failing = false;
            } catch (IOException e) {
                failed("write", e);
            }
        }

        /** One WARN for failures in a row. */
        private void failed(String doing, IOException e) {
            if (!failing) {
                failing = true;
                LOG.warn("event=history_failed doing={} reason=\"{}\"", doing, e.toString());
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
        this.dayMeans = new Samples(most(MINUTE, DAY), series);
        this.weekMeans = new Samples(most(TEN_MINUTES, WEEK), series);
        this.tiers = List.of(
                new Tier(directory, TEN_SECONDS, HOUR, live, true),
                new Tier(directory, MINUTE, DAY, dayMeans, false),
                new Tier(directory, TEN_MINUTES, WEEK, weekMeans, false));
        try {
            PrivateFiles.createDirectory(directory);
        } catch (IOException e) {
            LOG.warn("event=history_failed doing=create reason=\"{}\"", e.toString());
        }
        tiers.forEach(tier -> tier.load(nowMillis));
    }

    private static int most(Duration length, Duration retained) {
        return Math.toIntExact(retained.dividedBy(length));
    }

    /** Adds a sample of all series; for one thread. */
    public void add(long nowMillis, Map<String, Double> values) {
        live.add(nowMillis, values);
        for (Tier tier : tiers) {
            tier.add(nowMillis, values);
        }
    }

    /** Samples of a period; see {@link Samples#json}. */
    public ObjectNode json(Range range, List<String> prefixes, int points) {
        Samples samples = switch (range) {
            case HOUR -> live;
            case DAY -> dayMeans;
            case WEEK -> weekMeans;
        };
        return samples.json(prefixes, points);
    }
}
