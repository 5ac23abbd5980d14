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
import java.util.ArrayList;
import java.util.List;

/**
 * A process that holds daemons of local clusters and is there to be killed: those named on its standard input, a line
 * each with the number of the cluster before, until that ends. It ends with whoever started it, so that none is left
 * behind.
 */
final class DoomedJvm {
    private DoomedJvm() {}

    /**
     * @param arguments policy and datanodes of clusters that exist, with one namenode each, and then their directories
     */
    public static void main(String[] arguments) throws IOException {
        ClusterPlan.Shape shape =
                new ClusterPlan.Shape(Policy.parse(arguments[0]), 1, Integer.parseInt(arguments[1]), 1, 1, 0);
        List<ThreadDaemons> clusters = new ArrayList<>();
        for (String argument : List.of(arguments).subList(2, arguments.length)) {
            Path directory = Path.of(argument);
            clusters.add(new ThreadDaemons(LocalCluster.plan(directory, shape), directory));
        }
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<String> words = List.of(line.split(" ", 2));
                clusters.get(Integer.parseInt(words.get(0))).start(words.get(1));
            }
        } catch (IOException | RuntimeException e) {
            e.printStackTrace(System.out);
            System.exit(1); // the daemons' threads would keep it alive
        }
        clusters.forEach(ThreadDaemons::close);
        System.exit(0);
    }
}
