package io.ecfs.fault.paper;

import io.ecfs.config.Nearest;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.LabLoad;
import io.ecfs.fault.profile.VictimRule.Place;
import io.ecfs.fault.profile.VictimSource;
import io.ecfs.fault.record.Phase;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteAmplification;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The figures 2a to 2d and 3, and table 3. */
final class PaperFigures {
    private static final String RATIO = "ratio";
    private static final String RS = "rs-9-3-1024k";
    private static final String CLAY = "clay-9-3-11-1024k";
    private static final int USUAL_FILES = 64;
    private static final long OBJECT_BYTES = 64L << 20;
    private static final OptionalDouble NONE = OptionalDouble.empty();

    private static final Map<String, Function<PaperProfiles, PaperFigure>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("2a", PaperFigures::caches);
        ALL.put("2b", PaperFigures::groups);
        ALL.put("2c", PaperFigures::cells);
        ALL.put("2d", PaperFigures::failures);
        ALL.put("3", PaperFigures::timeline);
        ALL.put("t3", PaperFigures::amplification);
    }

    private PaperFigures() {}

    /** Words of all figures. */
    static List<String> words() {
        return List.copyOf(ALL.keySet());
    }

    /** @throws IllegalArgumentException for a figure that the paper does not have, with the nearest */
    static PaperFigure of(String word, Scale scale) {
        Function<PaperProfiles, PaperFigure> figure = ALL.get(word);
        if (figure == null) {
            throw new IllegalArgumentException("no figure '" + word + "', nearest is '" + Nearest.to(word, words())
                    + "'; there are " + String.join(", ", words()));
        }
        return figure.apply(new PaperProfiles(scale));
    }

    private static PaperFigure caches(PaperProfiles profiles) {
        LabLoad warm = profiles.load(USUAL_FILES, false);
        LabLoad cold = profiles.load(USUAL_FILES, true);
        String large = "namenode.store.blockCacheBytes=512m";
        List<PaperSetting> settings = new ArrayList<>();
        for (String policy : List.of(RS, CLAY)) {
            settings.add(new PaperSetting(code(policy), "as usual", profiles.oneLoss(policy, warm)));
            settings.add(new PaperSetting(code(policy), "large block cache", profiles.oneLoss(policy, warm, large)));
            if (profiles.scale().all()) {
                settings.add(new PaperSetting(code(policy), "cold page cache", profiles.oneLoss(policy, cold)));
            }
        }
        return figure("2a", "Figure 2a: caches", settings, measured -> {
            List<PaperRow> rows = times("2a", measured);
            rows.add(row("2a", "RS: slowest by fastest", NONE, spread(measured, "RS"), 1, 1.05));
            rows.add(row("2a", "Clay: slowest by fastest", NONE, spread(measured, "Clay"), 1, 1.05));
            rows.add(row(
                    "2a",
                    "slowest Clay by fastest RS",
                    OptionalDouble.of(1.11),
                    worst(measured, "Clay") / best(measured, "RS"),
                    NONE,
                    NONE));
            return rows;
        });
    }

    private static PaperFigure groups(PaperProfiles profiles) {
        List<PaperSetting> settings = new ArrayList<>();
        List<Integer> counts = profiles.scale().all() ? List.of(1, 16, 256) : List.of(1, 64);
        for (String policy : List.of(RS, CLAY)) {
            for (int files : counts) {
                LabLoad load = profiles.load(files, false);
                FaultProfile profile = files == 1
                        ? profiles.profile(
                                policy, load, PaperProfiles.kill(1, Place.ANY, VictimSource.parse("group:0")))
                        : profiles.oneLoss(policy, load);
                settings.add(new PaperSetting(code(policy), files + " groups", profile));
            }
        }
        String most = counts.get(counts.size() - 1) + " groups";
        return figure(
                "2b", "Figure 2b: placement groups (here: groups that hold the same bytes)", settings, measured -> {
                    List<PaperRow> rows = times("2b", measured);
                    double ratio = measured.get("Clay 1 groups").secondsPerByte()
                            / measured.get("RS " + most).secondsPerByte();
                    rows.add(row(
                            "2b",
                            "Clay, 1 group, by RS, " + most + ", a byte",
                            OptionalDouble.of(1.35),
                            ratio,
                            NONE,
                            OptionalDouble.of(1.2)));
                    return rows;
                });
    }

    private static PaperFigure cells(PaperProfiles profiles) {
        LabLoad load = profiles.load(USUAL_FILES, false);
        List<String> rs =
                profiles.scale().all() ? List.of("4k", "324k", "1024k", "4096k", "8192k") : List.of("4k", "1024k");
        List<String> clay = profiles.scale().all() ? List.of("324k", "1024k", "4096k", "8192k") : List.of("1024k");
        List<PaperSetting> settings = new ArrayList<>();
        rs.forEach(cell -> settings.add(new PaperSetting("RS", cell, profiles.oneLoss("rs-9-3-" + cell, load))));
        clay.forEach(
                cell -> settings.add(new PaperSetting("Clay", cell, profiles.oneLoss("clay-9-3-11-" + cell, load))));
        return figure("2c", "Figure 2c: stripe unit (here: cell)", settings, measured -> {
            List<PaperRow> rows = times("2c", measured);
            rows.add(row("2c", "RS: slowest by fastest", OptionalDouble.of(3.29), spread(measured, "RS"), 1, 1.3));
            rows.add(row("2c", "Clay: slowest by fastest", OptionalDouble.of(4.26), spread(measured, "Clay"), 1, 1.3));
            return rows;
        });
    }

    private static PaperFigure failures(PaperProfiles profiles) {
        LabLoad load = profiles.load(USUAL_FILES, false);
        List<PaperSetting> settings = new ArrayList<>();
        List<Integer> counts = profiles.scale().all() ? List.of(1, 2, 3) : List.of(1, 2);
        for (int count : counts) {
            for (Place place : count == 1 ? List.of(Place.ANY) : List.of(Place.SAME_RACK, Place.DIFFERENT_RACKS)) {
                for (String policy : List.of(RS, CLAY)) {
                    settings.add(new PaperSetting(
                            code(policy),
                            failures(count, place),
                            profiles.profile(policy, load, PaperProfiles.kill(count, place, VictimSource.FULLEST))));
                }
            }
        }
        return figure("2d", "Figure 2d: failures on the same and on other hosts", settings, measured -> {
            List<PaperRow> rows = times("2d", measured);
            for (int count : counts) {
                for (Place place : count == 1 ? List.of(Place.ANY) : List.of(Place.SAME_RACK, Place.DIFFERENT_RACKS)) {
                    String what = failures(count, place);
                    rows.add(row(
                            "2d",
                            "Clay by RS, " + what,
                            NONE,
                            measured.get("Clay " + what).secondsPerByte()
                                    / measured.get("RS " + what).secondsPerByte(),
                            NONE,
                            OptionalDouble.of(count == 1 ? 0.7 : 1.05)));
                }
            }
            double bytes = measured.get("Clay " + failures(1, Place.ANY)).readPerByte()
                    / measured.get("RS " + failures(1, Place.ANY)).readPerByte();
            rows.add(row("2d", "bytes read, Clay by RS, 1 failure", NONE, bytes, 11 / 3.0 / 9, 0.45));
            return rows;
        });
    }

    private static String failures(int count, Place place) {
        return count
                + (count == 1 ? " failure" : " failures, " + (place == Place.SAME_RACK ? "same host" : "other hosts"));
    }

    private static PaperFigure timeline(PaperProfiles profiles) {
        List<PaperSetting> settings = new ArrayList<>();
        settings.add(new PaperSetting("RS", "all bytes", profiles.oneLoss(RS, profiles.load(USUAL_FILES, false))));
        if (profiles.scale().all()) {
            LabLoad whole = profiles.load(USUAL_FILES, false);
            settings.add(new PaperSetting(
                    "RS",
                    "a quarter",
                    profiles.oneLoss(
                            RS, new LabLoad(USUAL_FILES, whole.bytes() / 4, whole.during(), whole.threads(), false))));
        }
        return figure("3", "Figure 3: timeline of a recovery", settings, measured -> {
            List<PaperRow> rows = new ArrayList<>();
            measured.forEach((label, one) -> {
                for (Phase phase : Phase.values()) {
                    rows.add(PaperRow.plain("3", label + ": " + phase, "s", one.seconds(phase)));
                }
                rows.add(new PaperRow(
                        "3",
                        label + ": CHECKING of dead to healed",
                        RATIO,
                        NONE,
                        one.checkingShare(),
                        NONE,
                        OptionalDouble.of(0.01)));
                rows.add(new PaperRow(
                        "3",
                        label + ": before the first byte, as the paper counts",
                        RATIO,
                        OptionalDouble.of(0.537),
                        one.checkingShareOfThePaper(),
                        NONE,
                        NONE));
            });
            rows.add(new PaperRow(
                    "3",
                    "NOTICE of a killed process",
                    "s",
                    NONE,
                    measured.get("RS all bytes").seconds(Phase.NOTICE),
                    NONE,
                    OptionalDouble.of(1)));
            return rows;
        });
    }

    private static PaperFigure amplification(PaperProfiles profiles) {
        Policy first = Policy.parse(RS);
        Policy second = Policy.parse("rs-12-3-1024k");
        return new PaperFigure(
                "t3", "Table 3: write amplification of 64 MiB files", List.of(), List.of(first, second), numbers -> {
                    List<PaperRow> rows = new ArrayList<>();
                    Map<Policy, Double> papers = Map.of(first, 1.76, second, 2.15);
                    numbers.stored().forEach((policy, ours) -> {
                        double limit = policy.chunks() / (double) policy.dataChunks();
                        WriteAmplification formula = WriteAmplification.ofFile(policy, OBJECT_BYTES);
                        double exact = (formula.chunkBytes() + formula.checksumBytes()) / (double) formula.userBytes();
                        rows.add(new PaperRow(
                                "t3",
                                policy + ": stored by written",
                                RATIO,
                                OptionalDouble.of(papers.get(policy)),
                                ours,
                                OptionalDouble.of(limit),
                                OptionalDouble.of(limit + 0.02)));
                        rows.add(new PaperRow(
                                "t3",
                                policy + ": difference to the formula",
                                RATIO,
                                NONE,
                                Math.abs(ours / exact - 1),
                                NONE,
                                OptionalDouble.of(0.001)));
                    });
                    return rows;
                });
    }

    /** Bytes of one object of table 3. */
    static long objectBytes() {
        return OBJECT_BYTES;
    }

    private static PaperFigure figure(
            String word,
            String title,
            List<PaperSetting> settings,
            Function<Map<String, Measured>, List<PaperRow>> rows) {
        return new PaperFigure(word, title, settings, List.of(), numbers -> rows.apply(numbers.settings()));
    }

    private static String code(String policy) {
        return policy.startsWith("rs") ? "RS" : "Clay";
    }

    private static List<PaperRow> times(String figure, Map<String, Measured> measured) {
        List<PaperRow> rows = new ArrayList<>();
        measured.forEach((label, one) ->
                rows.add(PaperRow.plain(figure, label + ": dead to healed", "s", one.recoverySeconds())));
        return rows;
    }

    private static double spread(Map<String, Measured> measured, String code) {
        return worst(measured, code) / best(measured, code);
    }

    private static double worst(Map<String, Measured> measured, String code) {
        return of(measured, code).stream()
                .mapToDouble(Measured::secondsPerByte)
                .max()
                .orElse(0);
    }

    private static double best(Map<String, Measured> measured, String code) {
        return of(measured, code).stream()
                .mapToDouble(Measured::secondsPerByte)
                .min()
                .orElse(0);
    }

    private static Collection<Measured> of(Map<String, Measured> measured, String code) {
        return measured.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(code + " "))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static PaperRow row(
            String figure, String quantity, OptionalDouble paper, double ours, double limit, double target) {
        return row(figure, quantity, paper, ours, OptionalDouble.of(limit), OptionalDouble.of(target));
    }

    private static PaperRow row(
            String figure,
            String quantity,
            OptionalDouble paper,
            double ours,
            OptionalDouble limit,
            OptionalDouble target) {
        return new PaperRow(figure, quantity, RATIO, paper, ours, limit, target);
    }
}
