package io.ecfs.console.command.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of a command that runs one daemon. */
public final class DaemonOptions {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The daemon's YAML file.")
    private Path file;

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "Replaces a value of the file. Repeatable.")
    private List<String> overrides = new ArrayList<>();

    public Path file() {
        return file;
    }

    public List<String> overrides() {
        return overrides;
    }
}
