package io.ecfs.bench;

import io.ecfs.config.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The workloads there are. */
public enum WorkloadKind {
    SEQWRITE,
    SEQREAD,
    PREAD,
    DEGRADED,
    RECOVERY,
    DRAIN,
    SLOW,
    SMALL,
    HSYNC,
    META,
    MIXED,
    CONVERT,
    APPEND;

    private static final String ALL = "all";

    /** As people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** True when it stops, kills or decommissions datanodes, which is done to the bench's own cluster only. */
    public boolean takesDatanodesOut() {
        return switch (this) {
            case DEGRADED, RECOVERY, DRAIN -> true;
            case SEQWRITE, SEQREAD, PREAD, SLOW, SMALL, HSYNC, META, MIXED, CONVERT, APPEND -> false;
        };
    }

    /** True when {@code all} names it too: recovery needs a cluster without grace, convert and append take minutes. */
    public boolean partOfAll() {
        return switch (this) {
            case SEQWRITE, SEQREAD, PREAD, DEGRADED, DRAIN, SLOW, SMALL, HSYNC, META, MIXED -> true;
            case RECOVERY, CONVERT, APPEND -> false;
        };
    }

    /** Why a given cluster is refused, for people. */
    public String whyOwnCluster() {
        return word() + " takes datanodes out, which the bench does to its own cluster only: leave --cluster out";
    }

    /**
     * The workloads that people named, each once; {@code all} for those that are {@link #partOfAll part of it}.
     *
     * @throws IllegalArgumentException for an unknown word, with the nearest known
     */
    public static List<WorkloadKind> parse(List<String> words) {
        Set<WorkloadKind> kinds = new LinkedHashSet<>();
        for (String word : words) {
            if (word.equals(ALL)) {
                kinds.addAll(
                        Arrays.stream(values()).filter(WorkloadKind::partOfAll).toList());
            } else {
                kinds.add(parse(word));
            }
        }
        if (kinds.contains(RECOVERY) && kinds.size() > 1) {
            throw new IllegalArgumentException("recovery is measured alone: its cluster gives dead datanodes no grace");
        }
        return List.copyOf(kinds);
    }

    private static WorkloadKind parse(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> {
                    List<String> known = new ArrayList<>(
                            Arrays.stream(values()).map(WorkloadKind::word).toList());
                    known.add(ALL);
                    return new IllegalArgumentException("no workload '" + word + "', did you mean '"
                            + Nearest.to(word, known) + "'? There are " + String.join(", ", known));
                });
    }
}
