package io.ecfs.console.command.option;

import io.ecfs.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Configuration of a command that serves a cluster to others: a YAML file, or without one the cluster of the command
 * line with its client's settings; then {@code -D} and the command's own options.
 */
public final class ServerConfig {
    private ServerConfig() {}

    /**
     * @param command that has no file, for errors
     * @param file null for none
     * @param options of the command, as {@code key=value}
     */
    public static <T extends Record> T read(
            Class<T> type, String command, Path file, ClusterOption cluster, List<String> options) throws IOException {
        List<String> changes = new ArrayList<>();
        if (file == null) {
            cluster.client().settings().forEach(setting -> changes.add(ClientOption.PREFIX + setting));
        }
        changes.addAll(cluster.changes());
        changes.addAll(options);
        return file == null
                ? ConfigReader.read(type, command, "cluster: " + quoted(cluster.uri()), changes)
                : ConfigReader.read(type, file, changes);
    }

    /** A text as a scalar of YAML. */
    public static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
