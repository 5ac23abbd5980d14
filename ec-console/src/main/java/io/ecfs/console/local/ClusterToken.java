package io.ecfs.console.local;

import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.env.real.RealEnvironment;
import java.io.IOException;
import java.nio.file.Path;

/** The join token of a local cluster, which daemons get from it: an operator of real machines copies the file. */
final class ClusterToken {
    private ClusterToken() {}

    /**
     * Gives a daemon its copy before it starts; the cluster gets a token when it has none, as one of a release without.
     */
    static void place(ClusterPlan plan, Path directory, String id) throws IOException {
        Path token = directory.resolve("conf").resolve(JoinTokenFile.NAME);
        JoinTokenFile.readOrCreate(token, RealEnvironment.open().randomness());
        boolean namenode = plan.namenodes().stream().anyMatch(n -> n.id().equals(id));
        Path home = namenode ? directory.resolve(id) : DaemonFiles.home(directory, id);
        JoinTokenFile.copy(token, home.resolve(JoinTokenFile.NAME));
    }
}
