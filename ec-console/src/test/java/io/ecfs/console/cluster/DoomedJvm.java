package io.ecfs.console.cluster;

import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.console.local.ThreadDaemons;
import io.ecfs.layout.Policy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process that holds daemons of a local cluster and is there to be killed: those named on its standard input, a line each, until that
 * ends. It ends with whoever started it, so that none is left behind.
 */
final class DoomedJvm {
    private DoomedJvm() {}

    /** @param arguments directory, policy and datanodes of a cluster that exists, with one namenode */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        ClusterPlan plan = LocalCluster.plan(
                directory,
                new ClusterPlan.Shape(Policy.parse(arguments[1]), 1, Integer.parseInt(arguments[2]), 1, 1, 0));
        ThreadDaemons daemons = new ThreadDaemons(plan, directory);
        BufferedReader ids = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            for (String id = ids.readLine(); id != null; id = ids.readLine()) {
                daemons.start(id);
            }
        } catch (IOException | RuntimeException e) {
            e.printStackTrace(System.out);
            System.exit(1); // the daemons' threads would keep it alive
        }
        daemons.close();
        System.exit(0);
    }
}
