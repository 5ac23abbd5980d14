package io.ecfs.bench.koh;

import io.ecfs.config.Nearest;
import io.ecfs.config.Sizes;
import io.ecfs.console.forecast.ResourceText;
import io.ecfs.plan.write.CsvLines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Stand-ins for the four workloads of SPEC SFS, by Table II of the paper: SPEC SFS is not free. */
public enum Mix {
    DB("transactional SQL database", 110, 1100),
    VDI("virtual desktop infrastructure", 20, 200),
    /** Section VI-D says that throughput is best with 250 processes. */
    EDA("electronic design automation", 250, 250),
    /** The paper does not say with how many: nine streams and one reader are ours. */
    VDA("video data acquisition", 10, 10);

    private static final Map<Mix, List<MixComponent>> COMPONENTS = read();

    private final String title;
    private final int leastProcesses;
    private final int mostProcesses;

    Mix(String title, int leastProcesses, int mostProcesses) {
        this.title = title;
        this.leastProcesses = leastProcesses;
        this.mostProcesses = mostProcesses;
    }

    /** As people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String title() {
        return title;
    }

    /** Numbers of processes to run it with, ascending: the ends of the paper's range. */
    public List<Integer> processes() {
        return leastProcesses == mostProcesses ? List.of(mostProcesses) : List.of(leastProcesses, mostProcesses);
    }

    public List<MixComponent> components() {
        return COMPONENTS.get(this);
    }

    /** Smallest block of any component: every position is a multiple of it. */
    public int leastBytes() {
        return components().stream().mapToInt(MixComponent::leastBytes).min().orElseThrow();
    }

    /** Largest block of any component. */
    public int mostBytes() {
        return components().stream().mapToInt(MixComponent::mostBytes).max().orElseThrow();
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Mix::word).toList();
    }

    /** @throws IllegalArgumentException for an unknown word, with the nearest known */
    public static Mix parse(String word) {
        return Arrays.stream(values())
                .filter(mix -> mix.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mix '" + word + "', did you mean '"
                        + Nearest.to(word, words()) + "'? There are " + String.join(", ", words())));
    }

    private static Map<Mix, List<MixComponent>> read() {
        Map<Mix, List<MixComponent>> components = new EnumMap<>(Mix.class);
        CsvLines.read(ResourceText.of(Mix.class, "components.csv").lines().toList(), fields -> {
            CsvLines.requireFields(fields, "mix,component,share,data,read,sequential,block,main,bits");
            components
                    .computeIfAbsent(parse(fields.get(0)), mix -> new ArrayList<>())
                    .add(new MixComponent(
                            fields.get(1),
                            Double.parseDouble(fields.get(2)),
                            percent(fields.get(3)),
                            percent(fields.get(4)),
                            percent(fields.get(5)),
                            Math.toIntExact(Sizes.bytes(fields.get(6))),
                            percent(fields.get(7)),
                            Long.parseLong(fields.get(8))));
        });
        components.replaceAll((mix, list) -> List.copyOf(list));
        return components;
    }

    private static double percent(String field) {
        return Double.parseDouble(field) / 100;
    }
}
