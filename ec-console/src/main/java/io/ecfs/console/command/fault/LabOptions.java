package io.ecfs.console.command.fault;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.lab.ExperimentResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where experiments run and what they write. */
final class LabOptions {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write report.json, figures.jsonl and report.html there.")
    private Path out;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Make the clusters' directories in this one, and remove them again (default: the system's for"
                    + " temporary files).")
    private Path parent;

    @Option(names = "--cluster", paramLabel = "URI", hidden = true)
    private String cluster;

    /** @throws EcfsException {@code INVALID_ARGUMENT} when a cluster of others was named */
    Optional<Path> out() throws EcfsException {
        requireOwnCluster();
        return Optional.ofNullable(out);
    }

    Optional<Path> parent() throws EcfsException {
        requireOwnCluster();
        return Optional.ofNullable(parent);
    }

    private void requireOwnCluster() throws EcfsException {
        if (cluster != null) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "experiments hurt their cluster, so they start one of their own: leave --cluster out");
        }
    }

    /** 0 when nothing went wrong. */
    static int exitCode(List<ExperimentResult> results) {
        return results.stream().allMatch(result -> result.problems().isEmpty()) ? 0 : 1;
    }
}
