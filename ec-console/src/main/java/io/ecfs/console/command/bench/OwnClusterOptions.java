package io.ecfs.console.command.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the cluster of a bench is made, and its settings. */
final class OwnClusterOptions {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Make the cluster's directory in this one, and remove it again (default: the system's for"
                    + " temporary files).")
    private Path parent;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "Setting of the cluster: client.KEY, namenode.KEY or datanode.KEY. Repeatable.")
    private List<String> overrides = new ArrayList<>();

    Optional<Path> parent() {
        return Optional.ofNullable(parent);
    }

    List<String> overrides() {
        return overrides;
    }
}
