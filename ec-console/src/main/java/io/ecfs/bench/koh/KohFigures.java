package io.ecfs.bench.koh;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Table;
import io.ecfs.config.Nearest;
import io.ecfs.config.Sizes;
import io.ecfs.console.forecast.ResourceText;
import io.ecfs.plan.write.CsvLines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All figures, in the paper's order, and what is ours alone. */
public final class KohFigures {
    /** The word for all of them. */
    public static final String EVERY = "all";

    private static final Pattern NUMBER = Pattern.compile("(?:fig)?(\\d{1,4})");
    private static final Pattern BLANKS = Pattern.compile(" +");
    private static final Map<String, KohFigure> ALL = read();

    private KohFigures() {}

    public static List<KohFigure> all() {
        return List.copyOf(ALL.values());
    }

    /**
     * The figures that people name, each once: {@code fig10}, {@code 10}, {@code db}, {@code all}.
     *
     * @throws IllegalArgumentException for none, or an unknown one with the nearest known
     */
    public static List<KohFigure> parse(List<String> words) {
        Set<KohFigure> figures = new LinkedHashSet<>();
        for (String word : words) {
            if (word.equals(EVERY)) {
                figures.addAll(ALL.values());
            } else {
                figures.add(figure(word));
            }
        }
        if (figures.isEmpty()) {
            throw new IllegalArgumentException(
                    "which figure? There are " + String.join(", ", ALL.keySet()) + " and " + EVERY);
        }
        return List.copyOf(figures);
    }

    private static KohFigure figure(String word) {
        Matcher number = NUMBER.matcher(word);
        String name = number.matches() ? "fig" + Integer.parseInt(number.group(1)) : word;
        KohFigure figure = ALL.get(name);
        if (figure == null) {
            throw new IllegalArgumentException("no figure '" + word + "', did you mean '"
                    + (number.matches() ? nearest(Integer.parseInt(number.group(1))) : nearest(word)) + "'? There are "
                    + String.join(", ", ALL.keySet()) + " and " + EVERY);
        }
        return figure;
    }

    private static String nearest(String word) {
        List<String> known = new ArrayList<>(ALL.keySet());
        known.add(EVERY);
        return Nearest.to(word, known);
    }

    /** The mix that the paper's figure of this number is of, or the figure with the nearest number. */
    private static String nearest(int number) {
        return ALL.values().stream()
                .min(Comparator.comparingInt(figure -> distance(figure, number)))
                .orElseThrow()
                .word();
    }

    /** The numbers that a figure's word or, for a mix, its title has; a title has a range of them. */
    private static int distance(KohFigure figure, int number) {
        Matcher digits = Pattern.compile("\\d+")
                .matcher(NUMBER.matcher(figure.word()).matches() ? figure.word() : figure.title());
        List<Integer> numbers = new ArrayList<>();
        while (digits.find()) {
            numbers.add(Integer.parseInt(digits.group()));
        }
        if (numbers.isEmpty()) {
            return Integer.MAX_VALUE; // not of the paper
        }
        int least = numbers.get(Math.max(0, numbers.size() - 2));
        int most = numbers.get(numbers.size() - 1);
        return Math.max(0, Math.max(least - number, number - most));
    }

    /**
     * The figure's ratios: the paper's, what its rules give, ours, limit and target.
     *
     * @param rules what the rules of Ceph give for the measured requests; empty where they give nothing
     * @param ours the measured ratio of a goal; empty where nothing was measured
     */
    public static Table table(
            KohFigure figure, Function<KohGoal, OptionalDouble> rules, Function<KohGoal, OptionalDouble> ours) {
        List<List<String>> rows = new ArrayList<>();
        for (KohGoal goal : figure.goals()) {
            OptionalDouble measured = ours.apply(goal);
            rows.add(List.of(
                    goal.text(),
                    KohGoal.number(goal.paper()),
                    KohGoal.number(rules.apply(goal)),
                    KohGoal.number(measured),
                    KohGoal.number(goal.limit()),
                    target(goal, measured),
                    goal.section(),
                    goal.note()));
        }
        return new Table(
                figure.word() + ": " + figure.title(),
                List.of("RATIO", "PAPER", "RULES", "OURS", "LIMIT", "TARGET", "SECTION", "NOTE"),
                rows);
    }

    private static String target(KohGoal goal, OptionalDouble measured) {
        if (!goal.hasTarget() || measured.isEmpty()) {
            return goal.targetText();
        }
        KohGoal.Judgement judgement = goal.judge(measured.getAsDouble());
        if (judgement.met()) {
            return goal.targetText() + ": met";
        }
        boolean ofNothing = goal.most().orElse(1) == 0;
        return goal.targetText() + ": SHORT by "
                + (ofNothing ? KohGoal.number(measured) : percent(judgement.shortBy()));
    }

    /** Below one per cent with what counts of it. */
    private static String percent(double share) {
        double percent = 100 * share;
        return (percent < 1 ? Cells.number(percent, 2) : String.valueOf(Math.round(percent))) + " %";
    }

    private static Map<String, KohFigure> read() {
        Map<String, List<KohGoal>> goals = goals();
        Map<String, KohFigure> figures = new LinkedHashMap<>();
        CsvLines.read(lines("figures.csv"), fields -> {
            CsvLines.requireFields(fields, "figure,title,series,sizes,depths,states");
            List<String> series = words(fields.get(2));
            List<String> mixes = series.stream().filter(Mix.words()::contains).toList();
            figures.put(
                    fields.get(0),
                    new KohFigure(
                            fields.get(0),
                            fields.get(1).replace(';', ','),
                            series.stream()
                                    .filter(word -> !mixes.contains(word))
                                    .map(Series::of)
                                    .toList(),
                            mixes.stream().map(Mix::parse).toList(),
                            sizes(fields.get(3)),
                            words(fields.get(4)).stream().map(Integer::valueOf).toList(),
                            words(fields.get(5)).stream()
                                    .map(word -> ImageState.valueOf(word.toUpperCase(Locale.ROOT)))
                                    .toList(),
                            goals.getOrDefault(fields.get(0), List.of())));
        });
        return figures;
    }

    private static Map<String, List<KohGoal>> goals() {
        Map<String, List<KohGoal>> goals = new LinkedHashMap<>();
        CsvLines.read(lines("goals.csv"), fields -> {
            CsvLines.requireFields(
                    fields,
                    "figure,quantity,compared,series,sizes,depth,paper,limit,least,most,section,condition,note");
            goals.computeIfAbsent(fields.get(0), figure -> new ArrayList<>())
                    .add(new KohGoal(
                            Quantity.of(fields.get(1)),
                            Comparison.of(fields.get(2)),
                            fields.get(3),
                            sizes(fields.get(4)),
                            fields.get(5).isEmpty()
                                    ? OptionalInt.empty()
                                    : OptionalInt.of(Integer.parseInt(fields.get(5))),
                            number(fields.get(6)),
                            number(fields.get(7)),
                            number(fields.get(8)),
                            number(fields.get(9)),
                            fields.get(10),
                            KohGoal.Condition.of(fields.get(11)),
                            fields.get(12)));
        });
        return goals;
    }

    private static List<String> lines(String resource) {
        return ResourceText.of(KohFigures.class, resource).lines().toList();
    }

    /** Between blanks. */
    static List<String> words(String field) {
        return field.isEmpty() ? List.of() : Arrays.asList(BLANKS.split(field));
    }

    /** Between blanks. */
    static List<Integer> sizes(String field) {
        return words(field).stream()
                .map(word -> RequestSizes.check(Sizes.bytes(word)))
                .toList();
    }

    private static OptionalDouble number(String field) {
        return field.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(field));
    }
}
