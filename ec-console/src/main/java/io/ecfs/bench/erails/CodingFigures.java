package io.ecfs.bench.erails;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Report;
import io.ecfs.code.CodeSpec;
import java.util.List;
import java.util.Map;

/**
 * Figures 4 and 5: coding measured with our codec on this machine, with as many parity as data chunks, all data chunks
 * computed. Rates are of the object, in MB (2^20 bytes) a second of one core.
 */
final class CodingFigures {
    private static final double MEBI = 1 << 20;
    private static final List<Integer> WIDTHS = List.of(2, 3, 4, 6, 8, 10, 12, 16, 20);
    private static final List<Integer> QUICK_WIDTHS = List.of(3, 4, 12);
    private static final List<Integer> KIB = List.of(64, 128, 256, 1024);
    private static final List<Integer> QUICK_KIB = List.of(256);
    /** MB a second of decoding that the text of section 5.1 names, by k. */
    private static final Map<Integer, Double> PAPER = Map.of(3, 2000.0, 4, 1600.0, 12, 600.0);

    private static final double TIMES = 4;
    private static final int CORES = 4;
    private static final int MOST_THREADS = 8;
    private static final int KIB_OF_FIG5 = 256;
    private static final int NARROW = 4;
    private static final int WIDE = 12;

    private CodingFigures() {}

    static Report oneThread(ErailsSetting setting) {
        FigureRows rows = new FigureRows(ErailsShown.FIG4, Map.of("bed", "codec"));
        for (int kib : setting.quick() ? QUICK_KIB : KIB) {
            for (int k : setting.quick() ? QUICK_WIDTHS : WIDTHS) {
                FigureRow row = row("decode", kib, k, decodeRate(setting, k, kib));
                Double paper = PAPER.get(k);
                rows.add(paper == null ? row : row.paper(paper).atLeast(TIMES * paper));
            }
        }
        for (int k : setting.quick() ? QUICK_WIDTHS : WIDTHS) {
            double nanos = setting.codec().encodeNanos(RingPlans.code(k, k), chunkBytes(k, KIB_OF_FIG5));
            rows.add(row("encode", KIB_OF_FIG5, k, KIB_OF_FIG5 * 1024L * 1e9 / nanos / MEBI));
        }
        rows.note("Targets are four times the paper's numbers, on one core of this machine.");
        return rows.report();
    }

    private static FigureRow row(String what, int kib, int k, double rate) {
        return FigureRow.of(what + ", k = " + k + ", " + kib + " KB", "MB/s", rate)
                .with("k", k)
                .with("m", k)
                .with("size", kib);
    }

    private static long chunkBytes(int k, int kib) {
        long each = (kib * 1024L + k - 1) / k;
        return (each + 63) / 64 * 64;
    }

    private static double decodeRate(ErailsSetting setting, int k, int kib) {
        CodeSpec code = RingPlans.code(k, k);
        double nanos = setting.codec().decodeNanos(code, k, chunkBytes(k, kib));
        return kib * 1024L * 1e9 / nanos / MEBI;
    }

    /** As many cores as the paper's machine; they share nothing. */
    static Report severalThreads(ErailsSetting setting) {
        FigureRows rows = new FigureRows(ErailsShown.FIG5, Map.of("bed", "sim"));
        for (int k : List.of(NARROW, WIDE)) {
            double one = decodeRate(setting, k, KIB_OF_FIG5);
            for (int threads = 1; threads <= MOST_THREADS; threads *= 2) {
                rows.add(FigureRow.of(
                                "decode, k = " + k + ", " + threads + " threads",
                                "MB/s",
                                one * Math.min(threads, CORES))
                        .with("k", k)
                        .with("m", k)
                        .with("threads", threads)
                        .limit(one * CORES));
            }
        }
        double narrow = decodeRate(setting, NARROW, KIB_OF_FIG5);
        double wide = decodeRate(setting, WIDE, KIB_OF_FIG5);
        rows.add(FigureRow.of("three arrays of k = 4, a core each", "MB/s", 3 * narrow)
                .with("k", NARROW)
                .with("m", NARROW)
                .paper(4800)
                .atLeast(TIMES * 4800));
        rows.add(FigureRow.of("one array of k = 12, three cores", "MB/s", 3 * wide)
                .with("k", WIDE)
                .with("m", WIDE)
                .paper(1800)
                .atLeast(TIMES * 1800));
        rows.note("One thread is measured, " + CORES + " cores are a model: they share neither caches nor memory, so"
                + " that rates grow to four threads and no further. Three small arrays are "
                + Cells.ratio(narrow / wide) + " one large one (paper 2.67x).");
        return rows.report();
    }
}
