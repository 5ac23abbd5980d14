package io.ecfs.console.command.option;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.forecast.ClusterFiles;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The files of a running cluster as those that advice is asked for. */
public final class FromOption {
    private static final String SCHEME_MARK = "://";

    @Option(
            names = "--from",
            paramLabel = "URI[/PATH]",
            description = "Instead of --files: the sizes of all files of a running cluster, or below a directory of it,"
                    + " as ecfs://prod/data; and --datanodes, when that is left out.")
    private String from;

    @Mixin
    private ClientOption client = new ClientOption();

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "With --from: a setting of the client. Repeatable.")
    private List<String> changes = new ArrayList<>();

    /** Whether it was given. */
    public boolean given() {
        return from != null;
    }

    /** Whether settings were given for a client that is not asked for. */
    public boolean settingsAlone() {
        return from == null && !changes.isEmpty();
    }

    /** @throws IllegalArgumentException in one line for what is neither a cluster nor a directory of one */
    public ClusterFiles read() throws IOException {
        String uri = ClusterUri.complete(from);
        int slash = uri.indexOf('/', uri.indexOf(SCHEME_MARK) + SCHEME_MARK.length());
        String path = slash < 0 ? "" : uri.substring(slash).replaceFirst("/+$", "");
        FilePath top = new FilePath(path.isEmpty() ? "/" : path);
        try (EcfsClient reader = ClusterOption.connect(slash < 0 ? uri : uri.substring(0, slash), client, changes)) {
            return ClusterFiles.read(reader, top);
        }
    }
}
