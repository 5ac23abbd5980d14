package io.ecfs.bench.erails;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The lines of reads beside writes, whichever bed they were measured on, and their targets. */
final class SeparationRows {
    static final double LEAST_READ_SHARE = 0.99;
    static final double LEAST_WRITE_SHARE = 0.95;
    private static final double MOST_P99 = 1.05;

    private SeparationRows() {}

    /**
     * No lines yet.
     *
     * @param more parameters of all lines
     */
    static FigureRows of(ErailsShown shown, String bed, ErailsSetting setting, Map<String, Object> more) {
        Map<String, Object> all = new TreeMap<>(more);
        all.put("bed", bed);
        all.put("k", shown.clusterWidth());
        all.put("m", shown.clusterWidth());
        all.put("mix", setting.mix().name().toLowerCase(Locale.ROOT));
        return new FigureRows(shown, all);
    }

    /** @param judged whether it is to reach its target */
    static FigureRow readShare(double ours, boolean judged) {
        FigureRow row =
                FigureRow.ratio("reads beside writes, by reads alone", ours).named("erails_read_share");
        return judged ? row.atLeast(LEAST_READ_SHARE) : row;
    }

    /** @param judged whether it is to reach its target */
    static FigureRow writeShare(double ours, boolean judged) {
        FigureRow row =
                FigureRow.ratio("writes, by the bound less 2g/(w_r T)", ours).named("erails_write_share");
        return judged ? row.atLeast(LEAST_WRITE_SHARE) : row;
    }

    /** @param judged whether it is to reach its target */
    static FigureRow p99(double ours, boolean judged) {
        FigureRow row = FigureRow.ratio("p99 of reads, by reads alone", ours).named("erails_read_p99_ratio");
        return judged ? row.atMost(MOST_P99) : row;
    }

    /** Reads of real daemons without the ring, which are alone on all volumes. */
    static FigureRow mixedReadShare(double ours) {
        return FigureRow.ratio("without ring: reads beside writes, by reads alone", ours);
    }

    static FigureRow mixedP99(double ours) {
        return FigureRow.ratio("without ring: p99 of reads", ours);
    }

    static FigureRow metadata(double ours) {
        return FigureRow.ratio("names and short files, by bytes of chunks written", ours);
    }
}
