package io.ecfs.console.command.option;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * How a command's client is set up: by a file with the keys of {@link ClientConfig}, then by
 * {@code -D client.KEY=VALUE}.
 */
public final class ClientOption {
    /** Prefix of the client's keys of {@code -D}. */
    public static final String PREFIX = "client.";

    private static final String VARIABLE = "ECFS_CLIENT_CONFIG";

    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            defaultValue = "${env:" + VARIABLE + "}",
            description = "YAML file with settings of the client, such as tls: {authority: FILE}. Otherwise $"
                    + VARIABLE + ".")
    private Path file;

    /** Changes that the file makes, without the prefix. */
    public List<String> settings() throws IOException {
        return file == null ? List.of() : ConfigReader.settings(file);
    }

    /** @param changes of {@code -D}; those that are not the client's are left out */
    public ClientConfig config(ClientConfig usual, List<String> changes) throws IOException {
        ClientConfig ofFile =
                file == null ? usual : ConfigReader.with(usual, file.toString(), ConfigReader.settings(file));
        return ConfigReader.with(ofFile, "-D " + PREFIX + "KEY=VALUE", ofClient(changes));
    }

    /** Without the prefix. */
    public static List<String> ofClient(List<String> changes) {
        return changes.stream().flatMap(change -> ofClient(change).stream()).toList();
    }

    /** Empty for a change of something else. */
    public static Optional<String> ofClient(String change) {
        return change.startsWith(PREFIX) ? Optional.of(change.substring(PREFIX.length())) : Optional.empty();
    }
}
