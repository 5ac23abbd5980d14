package io.ecfs.console.command.bench;

import io.ecfs.bench.exstorus.cluster.RealPlan;
import io.ecfs.bench.exstorus.cluster.RealShown;
import io.ecfs.config.Nearest;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WriteConstants;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code ecfs bench exstorus --bed cluster}. */
final class RealWriteOptions {
    private static final List<Double> USUAL_SPEEDS = List.of(1.0, 2.5);

    /** Datanode that encodes. */
    enum Master {
        FIXED,
        SPREAD
    }

    @Mixin
    private OwnClusterOptions cluster = new OwnClusterOptions();

    @Option(
            names = "--record",
            paramLabel = "SIZE",
            split = ",",
            defaultValue = "128k",
            converter = ByteCount.class,
            description = "Of a cluster: bytes of a record (default: ${DEFAULT-VALUE}).")
    private List<Long> recordSizes = new ArrayList<>();

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "Of a cluster: records of a run (default: 96 MiB of them; quick: 8 MiB).")
    private Integer records;

    @Option(
            names = "--master",
            paramLabel = "WHICH",
            defaultValue = "fixed",
            description =
                    "Of a cluster: fixed, the datanode of each group's first chunk, as in the paper; or spread, as"
                            + " clients choose it (default: ${DEFAULT-VALUE}).")
    private Master master;

    @Option(
            names = "--rows",
            paramLabel = "FILE",
            description = "Of a cluster: measure other mixes too, and write the rows that --calibrate reads.")
    private Path rows;

    Optional<Path> rows() {
        return Optional.ofNullable(rows);
    }

    /**
     * The plan of a cluster's writes.
     *
     * @param gigabits empty: those that this machine carries
     * @param side empty: both
     */
    RealPlan plan(
            WriteConstants constants,
            List<Double> gigabits,
            long latencyNanos,
            Optional<WriteSide> side,
            int window,
            int repetitions,
            boolean quick) {
        return new RealPlan(
                constants,
                gigabits.isEmpty() ? USUAL_SPEEDS : gigabits,
                latencyNanos,
                recordSizes,
                records == null ? OptionalInt.empty() : OptionalInt.of(records),
                side.map(List::of).orElse(List.of(WriteSide.values())),
                window,
                master == Master.FIXED,
                repetitions,
                quick,
                cluster.parent(),
                cluster.overrides());
    }

    /** @throws IllegalArgumentException with the nearest name */
    static RealShown shown(String word) {
        return Arrays.stream(RealShown.values())
                .filter(one -> one.word().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--bed cluster shows no '" + word + "'; nearest is " + Nearest.to(word, RealShown.words())));
    }
}
