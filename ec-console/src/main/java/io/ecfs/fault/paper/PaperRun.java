package io.ecfs.fault.paper;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import io.ecfs.console.local.Readiness;
import io.ecfs.fault.lab.ExperimentReport;
import io.ecfs.fault.lab.ExperimentResult;
import io.ecfs.fault.lab.FaultLab;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.LabLoad;
import io.ecfs.layout.Policy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs the settings of figures on clusters of their own, and tells each figure beside the paper's. */
public final class PaperRun {
    private static final int OBJECTS = 4;

    private final Scale scale;
    private final Optional<Path> parent;
    private final Consumer<String> doing;
    private final Readiness.Progress progress;
    private final Consumer<Figure> figures;
    private final List<String> problems = new ArrayList<>();

    /**
     * @param parent of the clusters' directories; empty: where the system has temporary files
     * @param figures notified of each figure as soon as it was measured
     */
    public PaperRun(
            Scale scale,
            Optional<Path> parent,
            Consumer<String> doing,
            Readiness.Progress progress,
            Consumer<Figure> figures) {
        this.scale = scale;
        this.parent = parent;
        this.doing = doing;
        this.progress = progress;
        this.figures = figures;
    }

    /** Words of all figures. */
    public static List<String> words() {
        return PaperFigures.words();
    }

    /** @throws IllegalArgumentException for a figure that the paper does not have, with the nearest */
    public static void requireFigure(String word) {
        PaperFigures.of(word, Scale.quick());
    }

    /** Runs one figure. */
    public Table run(String word) throws Exception {
        PaperFigure figure = PaperFigures.of(word, scale);
        Map<String, Measured> measured = measure(figure);
        Map<Policy, Double> stored = new LinkedHashMap<>();
        for (Policy policy : figure.stored()) {
            stored.put(policy, store(policy));
        }
        List<PaperRow> rows = figure.rows().apply(new PaperFigure.Numbers(measured, stored));
        rows.forEach(row -> figures.accept(row.figureLine()));
        return PaperRow.table(figure.title(), rows);
    }

    /** Bytes that could not be read back, and faults that were not undone. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Settings in turn, round after round: the machine is slower at times, and a young JVM is. */
    private Map<String, Measured> measure(PaperFigure figure) throws Exception {
        Map<String, List<ExperimentResult>> results = new LinkedHashMap<>();
        for (int repetition = 1 - scale.warmUps(); repetition <= scale.repetitions(); repetition++) {
            for (PaperSetting setting : figure.settings()) {
                ExperimentResult result = measure(figure.word(), setting, repetition);
                if (repetition > 0) {
                    results.computeIfAbsent(setting.label(), label -> new ArrayList<>())
                            .add(result);
                    accept(figure.word(), setting, result);
                }
            }
        }
        Map<String, Measured> measured = new LinkedHashMap<>();
        results.forEach((label, ofSetting) -> measured.put(label, new Measured(ofSetting)));
        return measured;
    }

    private ExperimentResult measure(String word, PaperSetting setting, int repetition) throws Exception {
        String what = word + ", " + setting.label();
        ExperimentResult result =
                lab(setting.profile(), what).run(setting.profile().policies().get(0), repetition);
        result.problems().forEach(problem -> problems.add(what + ": " + problem));
        return result;
    }

    private void accept(String word, PaperSetting setting, ExperimentResult result) {
        for (Figure figure : ExperimentReport.figures(result)) {
            Map<String, Object> params = new LinkedHashMap<>(figure.params());
            params.put("figure", word);
            params.put("setting", setting.value());
            figures.accept(new Figure(figure.name(), figure.value(), figure.unit(), params));
        }
    }

    private double store(Policy policy) throws Exception {
        LabLoad load = new LabLoad(OBJECTS, PaperFigures.objectBytes(), LabLoad.During.NONE, 2, false);
        FaultProfile profile = new PaperProfiles(scale).oneLoss(policy.name(), load);
        double stored = lab(profile, "t3, " + policy).storedPerByte(policy);
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("policy", policy.name());
        params.put("file_bytes", PaperFigures.objectBytes());
        figures.accept(new Figure("write_amplification", stored, "ratio", params));
        return stored;
    }

    private FaultLab lab(FaultProfile profile, String what) {
        return new FaultLab(profile, parent, step -> doing.accept(what + ": " + step), progress);
    }
}
