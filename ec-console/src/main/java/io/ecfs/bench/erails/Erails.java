package io.ecfs.bench.erails;

import io.ecfs.bench.report.Report;

/** Makes the figures of one setting. */
public final class Erails {
    private final ErailsSetting setting;

    public Erails(ErailsSetting setting) {
        this.setting = setting;
    }

    public Report report(ErailsShown shown) {
        return switch (shown) {
            case FIG3 -> WriteBound.of(setting);
            case FIG4 -> CodingFigures.oneThread(setting);
            case FIG5 -> CodingFigures.severalThreads(setting);
            case FIG6 -> ReadFigure.of(setting);
            case FIG9 -> SeparationFigure.fig9(setting);
            case FIG10 -> SeparationFigure.fig10(setting);
            case GROUP -> GroupFigure.of(setting);
            case ADAPTIVE -> AdaptiveFigure.of(setting);
            case SWEEP -> SweepFigure.of(setting);
        };
    }
}
