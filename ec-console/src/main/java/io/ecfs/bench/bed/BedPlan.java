package io.ecfs.bench.bed;

import io.ecfs.client.base.PlanConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Configurations and the workload that compares them, validated by the constructor.
 *
 * @param work {@code ycsb-e} or {@code wiki}
 * @param trace whose requests are replayed, where they are not drawn; its blocks are then all there are
 * @param exponent of the power law by which ranges or pages are chosen
 * @param scattered hot keys of ycsb-e are anywhere; otherwise they are neighbours
 * @param blockBytes of each block in ycsb-e
 * @param longestScan in keys
 * @param planner of the clients' plans
 * @param warmSeconds before the skew begins
 * @param seconds that are measured
 * @param timed planning is timed by this machine's clock, so that figures differ from run to run
 * @param callsOff redundant requests of late binding are cancelled at the sites
 * @param failed sites that do not answer from the beginning of what is measured, and are not repaired; one run for each
 *     number
 * @param repetitions with another seed each
 */
public record BedPlan(
        Work work,
        Optional<AccessTrace> trace,
        List<Configuration> configurations,
        int blocks,
        int blockBytes,
        int longestScan,
        double exponent,
        boolean scattered,
        int sites,
        int clients,
        double warmSeconds,
        double seconds,
        PlanConfig planner,
        boolean timed,
        boolean callsOff,
        List<Integer> failed,
        int repetitions,
        long seed) {
    /** The workload. */
    public enum Work {
        YCSB_E("ycsb-e"),
        WIKI("wiki");

        private final String word;

        Work(String word) {
            this.word = word;
        }

        /** As people write it. */
        public String word() {
            return word;
        }
    }

    public BedPlan {
        configurations = List.copyOf(configurations);
        failed = List.copyOf(failed);
        require("--blocks", blocks, 1, 100_000_000);
        require("--block-size", blockBytes, Configuration.DATA_CHUNKS, AccessTrace.MOST_BLOCK_BYTES);
        require("--scan", longestScan, 1, 1000);
        require("--sites", sites, Configuration.DATA_CHUNKS + Configuration.PARITY_CHUNKS, 100);
        require("--clients", clients, 1, 100_000);
        require("--reps", repetitions, 1, 1000);
        failed.forEach(count -> require("--failed", count, 0, Configuration.PARITY_CHUNKS));
        if (!(exponent >= 0 && exponent <= 10)) {
            throw new IllegalArgumentException("--exponent must be from 0 to 10, got " + exponent);
        }
        if (!(warmSeconds >= 0 && seconds > 0 && warmSeconds + seconds <= 86_400)) {
            throw new IllegalArgumentException(
                    "--warm-up and --seconds must fit a day, got " + warmSeconds + ", " + seconds);
        }
    }

    private static void require(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", got " + value);
        }
    }

    /** Before the skew begins. */
    public Duration warmUp() {
        return duration(warmSeconds);
    }

    /** The time that is measured. */
    public Duration measured() {
        return duration(seconds);
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * Duration.ofSeconds(1).toNanos()));
    }

    /** One configuration on one bed. */
    public record Run(Configuration configuration, int failed, int repetition) {}

    /** All of them, in the order in which they are made. */
    public List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        for (int repetition = 1; repetition <= repetitions; repetition++) {
            for (int sites : failed) {
                for (Configuration configuration : configurations) {
                    runs.add(new Run(configuration, sites, repetition));
                }
            }
        }
        return runs;
    }

    /** Of what a run draws: the same for all configurations of a repetition. */
    public long seed(Run run) {
        return seed + run.repetition() - 1;
    }

    /** A run, for people. */
    public String words(Run run) {
        return work.word() + " " + run.configuration().word() + ", " + run.failed() + " failed, " + run.repetition()
                + "/" + repetitions;
    }

    /** The requests, drawn from this source unless they are replayed. */
    public Requests requests(SplittableRandom random) {
        return trace.map(AccessTrace::replayed).orElseGet(() -> switch (work) {
            case YCSB_E -> new KeyRanges(blocks, blockBytes, longestScan, exponent, scattered, random);
            case WIKI -> new WikiPages(blocks, exponent, random);
        });
    }
}
