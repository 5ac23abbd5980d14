package io.ecfs.client.health;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.HedgeConfig;
import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import io.ecfs.transfer.LatencyWindow;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Latencies of this client's chunk reads, and the decisions from them: when a chunk is late, so that others are
 * requested for the same bytes, and which datanodes are slow, so that they are not requested first.
 *
 * <p>Late is what takes twice as long as nearly all reads of its size did, but never sooner than {@code least}. A
 * datanode is slow when it was late again and again compared with what is usual elsewhere: the median of the datanodes,
 * so that few slow ones do not make slowness usual; late answers are not counted for what is late either. It is tried
 * again by requests beside a read, whose replies are not awaited. How many reads may be asked again is bounded by a
 * share of all, so that a cluster that is slow everywhere is not given more work.
 *
 * <p>Owned by the client's owner thread, but for {@link #counts}, {@link #countRequest} and {@link #anySlow}. It
 * knows a thousand datanodes at most.
 */
public final class Hedging {
    private static final Logger LOG = LoggerFactory.getLogger(Hedging.class);
    private static final int MOST_DATANODES = 1024;
    /** Number of replies after which the derived values are derived anew. */
    private static final int STALE_AFTER = 16;

    private static final int MOST_CREDIT = 64;

    private final Clock clock;
    private final HedgeConfig config;
    private final long lateAfterNanos;
    private final long longestPauseNanos;
    private final LatencyWindow[] windows = IntStream.range(0, ReadSizes.CLASSES)
            .mapToObj(i -> new LatencyWindow())
            .toArray(LatencyWindow[]::new);
    private final float[] nearlyAllNanos = new float[ReadSizes.CLASSES]; // not a number: unknown; as below
    private final float[] usualNanos = new float[ReadSizes.CLASSES];
    private final int[] age = new int[ReadSizes.CLASSES];
    private final AtomicInteger slow = new AtomicInteger(); // changed on the owner thread only
    private final Map<DatanodeId, DatanodePace> paces = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<DatanodeId, DatanodePace> eldest) {
            boolean tooMany = size() > MOST_DATANODES;
            slow.addAndGet(tooMany && eldest.getValue().slow() ? -1 : 0);
            return tooMany;
        }
    };
    private double credit = MOST_CREDIT;
    private final LongAdder asked = new LongAdder();
    private final LongAdder hedged = new LongAdder();
    private final LongAdder trials = new LongAdder();

    /**
     * Since the client began.
     *
     * @param asked requests to read chunk bytes, all of them
     * @param hedged chunks that were late and whose bytes were asked of others
     * @param trials requests to slow datanodes whose replies were not awaited
     */
    public record Counts(long asked, long hedged, long trials) {}

    Hedging(Clock clock, ClientConfig config) {
        this.clock = clock;
        this.config = config.hedge();
        this.lateAfterNanos = config.lateAfter().toNanos();
        this.longestPauseNanos = config.suspicion().toNanos();
        Arrays.fill(nearlyAllNanos, Float.NaN);
        Arrays.fill(usualNanos, Float.NaN);
    }

    Counts counts() {
        return new Counts(asked.sum(), hedged.sum(), trials.sum());
    }

    /** Counts a request that goes out. Safe for use by several threads. */
    void countRequest() {
        asked.increment();
    }

    /** A request was sent: more of the late ones may be requested from others. */
    void addCredit() {
        credit = Math.min(MOST_CREDIT, credit + config.share());
    }

    /** Nanoseconds after which a chunk read of so many bytes is late. */
    long lateAfterNanos(int bytes) {
        float nearlyAll = ReadSizes.estimate(nearlyAllNanos, ReadSizes.classOf(bytes));
        return Float.isNaN(nearlyAll)
                ? lateAfterNanos
                : Math.min(lateAfterNanos, Math.max(config.least().toNanos(), (long) (2 * nearlyAll)));
    }

    /** Returns whether one more late chunk may be asked of others before {@code lateAfter}; if so, it is counted. */
    boolean takeHedge() {
        if (credit < 1) {
            return false;
        }
        credit--;
        hedged.increment();
        return true;
    }

    /** Returns whether some datanode is slow. Safe for use by several threads. */
    boolean anySlow() {
        return slow.get() > 0;
    }

    /** Returns whether a datanode was late so often that others are asked in its place. */
    boolean slow(DatanodeId datanode) {
        DatanodePace pace = slow.get() > 0 ? paces.get(datanode) : null;
        return pace != null && pace.slow();
    }

    /** Returns whether a slow datanode is to be tried now; {@link #tried} ends the trial. */
    boolean takeTrial(DatanodeId datanode) {
        boolean take = pace(datanode).takeTrial(clock.nanos(), longestPauseNanos);
        if (take) {
            trials.increment();
        }
        return take;
    }

    void tried(DatanodeId datanode) {
        pace(datanode).tried(clock.nanos());
    }

    /** Bytes that were requested at {@code began} came at {@code now}. */
    void answered(DatanodeId datanode, int bytes, long began, long now) {
        if (!config.adaptive()) {
            return;
        }
        long took = now - began;
        int sizeClass = ReadSizes.classOf(bytes);
        DatanodePace pace = pace(datanode);
        if (late(sizeClass, took)) {
            lapse(datanode, pace, began, now, took);
        } else {
            if (pace.slow()) {
                slow.decrementAndGet();
                LOG.info("event=datanode_fast_again datanode={} micros={}", datanode, took / 1000);
            }
            pace.timely();
            windows[sizeClass].record(took);
        }
        pace.learn(sizeClass, took);
        if (++age[sizeClass] >= STALE_AFTER) {
            derive(sizeClass);
        }
    }

    /** A request was cancelled at {@code now}, before its reply; when it had taken long by then, it counts as late. */
    void gaveUp(DatanodeId datanode, int bytes, long began, long now) {
        if (config.adaptive() && late(ReadSizes.classOf(bytes), now - began)) {
            lapse(datanode, pace(datanode), began, now, now - began);
        }
    }

    private void lapse(DatanodeId datanode, DatanodePace pace, long began, long now, long took) {
        if (pace.late(began, now, config.firstTrial().toNanos())) {
            slow.incrementAndGet();
            LOG.info("event=datanode_slow datanode={} micros={}", datanode, took / 1000);
        }
    }

    /** Compared with what is usual; nothing is late while that is not known. */
    private boolean late(int sizeClass, long took) {
        long slack = config.least().toNanos() / 2;
        if (took < slack) {
            return false;
        }
        if (Float.isNaN(usualNanos[sizeClass])) {
            derive(sizeClass);
        }
        float usual = ReadSizes.estimate(usualNanos, sizeClass);
        return took > Math.max(2 * usual, usual + slack);
    }

    private void derive(int sizeClass) {
        age[sizeClass] = 0;
        double[] means = paces.values().stream()
                .mapToDouble(pace -> pace.meanNanos(sizeClass))
                .filter(mean -> !Double.isNaN(mean))
                .sorted()
                .toArray();
        usualNanos[sizeClass] = means.length == 0 ? Float.NaN : (float) means[(means.length - 1) / 2];
        LatencyWindow window = windows[sizeClass];
        nearlyAllNanos[sizeClass] = window.hasEnough() ? window.quantile(config.quantile()) : Float.NaN;
    }

    private DatanodePace pace(DatanodeId datanode) {
        return paces.computeIfAbsent(datanode, unknown -> new DatanodePace());
    }
}
