package io.ecfs.console.command.fault;

import io.ecfs.fault.profile.FaultProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The profile of an experiment, and values to replace in it. */
final class ProfileOptions {
    @Parameters(paramLabel = "PROFILE", description = "File with the profile, YAML or JSON.")
    private Path file;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "Value of the profile in the place of the file's, as repetitions=3 or"
                    + " workload.bytes=1m. Repeatable.")
    private List<String> overrides = new ArrayList<>();

    /** @param more overrides of options */
    FaultProfile read(List<String> more) throws IOException {
        List<String> all = new ArrayList<>(overrides);
        all.addAll(more);
        return FaultProfile.read(file, all);
    }

    Path file() {
        return file;
    }
}
