package io.ecfs.console.command.option;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.console.local.LastUp;
import io.ecfs.console.view.Json;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.PrincipalName;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Which cluster a command talks to: {@code --cluster}, then {@code ECFS_CLUSTER}, then the last {@code ecfs up} in this
 * directory.
 */
public final class ClusterOption {
    /**
     * How long a command looks for a leading namenode: longer than an election takes, shorter than a person's patience.
     */
    public static final String PATIENCE = "20s";

    private static final String VARIABLE = "ECFS_CLUSTER";

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "The cluster: a name of ~/.ecfs/clusters.yaml, /etc/ecfs/clusters.yaml or DNS, as prod or"
                    + " ecfs://prod, or its namenodes, as host:port,host:port. Otherwise $" + VARIABLE
                    + ", then the last 'ecfs up' in this directory.")
    private String uri;

    @Mixin
    private ClientOption client = new ClientOption();

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "A setting of the client, such as client.tls.authority=FILE. Repeatable.")
    private List<String> changes = new ArrayList<>();

    /** A client on the cluster, for a person who waits: it gives up sooner than a job would. */
    public EcfsClient connect() throws IOException {
        return connect(uri(), client, changes);
    }

    /** The same on the cluster of a URI. */
    static EcfsClient connect(String uri, ClientOption client, List<String> changes) throws IOException {
        for (String change : changes) {
            if (!change.startsWith(ClientOption.PREFIX)) {
                throw new IllegalArgumentException(
                        "-D " + change + ": a key begins with 'client.', as in -D client.tls.authority=FILE");
            }
        }
        return EcfsClient.connect(
                ClusterUri.resolve(uri),
                client.config(
                        ClientConfig.defaults().with("namenodeDeadline=" + PATIENCE, "context=" + context()), changes),
                Identity.ofThisProcess());
    }

    /** For the namenodes' audit log: who became this user by sudo. */
    private static String context() {
        String person = System.getenv("SUDO_USER");
        return person == null || !PrincipalName.valid(person) ? "cli" : "cli sudo:" + person;
    }

    /** Settings of {@code -D}. */
    public List<String> changes() {
        return changes;
    }

    public ClientOption client() {
        return client;
    }

    /** A call of a cluster that has a result. */
    public interface Question<T> {
        T ask(EcfsClient client) throws Exception;
    }

    /**
     * Asks and shows what came: as one JSON document, or as text.
     *
     * @return the exit code
     */
    public <T> int show(PrintWriter out, boolean json, Question<T> question, BiConsumer<PrintWriter, T> text)
            throws Exception {
        try (EcfsClient client = connect()) {
            T answer = question.ask(client);
            if (json) {
                Json.print(out, answer);
            } else {
                text.accept(out, answer);
            }
            out.flush();
        }
        return 0;
    }

    /**
     * URI of the cluster with its scheme; a logical name is not resolved.
     *
     * @throws EcfsException when no cluster is named and none was started here
     */
    public String uri() throws IOException {
        if (uri != null) {
            return ClusterUri.complete(uri);
        }
        String fromEnvironment = System.getenv(VARIABLE);
        if (fromEnvironment != null && !fromEnvironment.isBlank()) {
            return ClusterUri.complete(fromEnvironment);
        }
        return LastUp.uri()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "no cluster named: use --cluster NAME, set " + VARIABLE
                                + ", or start one here with 'ecfs up'"));
    }
}
