package io.ecfs.console.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.message.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The configuration files of a local cluster's daemons: the same format that a real machine's daemon reads. */
final class DaemonFiles {
    /** Prefix of the overrides of TLS for clients. */
    static final String CLIENT_TLS = "client.tls.";

    private static final String NAMENODE = "namenode";
    private static final String DATANODE = "datanode";

    private static final ObjectMapper YAML =
            new ObjectMapper(new YAMLFactory().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER));

    private DaemonFiles() {}

    static Path configuration(Path directory, String id) {
        return directory.resolve("conf").resolve(id + ".yaml");
    }

    /** Directory with the identity of a datanode. */
    static Path home(Path directory, String datanode) {
        return directory.resolve(datanode).resolve("home");
    }

    static Path overrides(Path directory, String id) {
        return directory.resolve("conf").resolve(id + ".overrides");
    }

    /**
     * Writes them all anew.
     *
     * @param overrides {@code namenode.key=value}, {@code datanode.key=value}, and of one daemon {@code dn3.key=value};
     *     stored beside the configuration for a later {@code up --only}
     * @throws IllegalArgumentException for an override that is for none
     */
    static void write(Path directory, ClusterPlan plan, List<String> overrides) throws IOException {
        PrivateFiles.createDirectory(directory.resolve("conf"));
        for (String override : overrides) {
            requireForOne(override, plan);
        }
        for (ClusterPlan.NamenodePlan namenode : plan.namenodes()) {
            write(
                    directory,
                    namenode.id(),
                    namenode(directory, plan, namenode),
                    of(overrides, NAMENODE, namenode.id()));
        }
        for (ClusterPlan.DatanodePlan datanode : plan.datanodes()) {
            write(
                    directory,
                    datanode.id(),
                    datanode(directory, plan, datanode),
                    of(overrides, DATANODE, datanode.id()));
        }
        writeYaml(directory.resolve("conf").resolve("prometheus.yml"), prometheus(plan));
    }

    /** The overrides a daemon was last started with. */
    static List<String> readOverrides(Path directory, String id) throws IOException {
        return Files.readAllLines(overrides(directory, id));
    }

    private static void requireForOne(String override, ClusterPlan plan) {
        boolean known = Stream.concat(Stream.of(NAMENODE, DATANODE), plan.ids())
                .anyMatch(daemon -> override.startsWith(daemon + "."));
        if (!known && !override.startsWith(CLIENT_TLS)) {
            throw new IllegalArgumentException("-D " + override + ": a key begins with 'namenode.', 'datanode.', a"
                    + " daemon's id or '" + CLIENT_TLS + "', as in -D datanode.control.heartbeat=500ms");
        }
    }

    /** Overrides of a role, then those of one daemon. */
    private static List<String> of(List<String> overrides, String role, String id) {
        return Stream.of(role + ".", id + ".")
                .flatMap(prefix -> overrides.stream()
                        .filter(override -> override.startsWith(prefix))
                        .map(override -> override.substring(prefix.length())))
                .toList();
    }

    /** A configuration file of its own making. */
    static void writeYaml(Path file, Map<String, Object> tree) throws IOException {
        PrivateFiles.createDirectory(file.getParent());
        Files.writeString(file, YAML.writeValueAsString(tree));
    }

    private static void write(Path directory, String id, Map<String, Object> tree, List<String> overrides)
            throws IOException {
        Files.writeString(configuration(directory, id), YAML.writeValueAsString(tree));
        Files.write(overrides(directory, id), overrides);
    }

    /** Configuration of a Prometheus that scrapes all of it, as {@code dist/monitoring/prometheus.yml} shows. */
    private static Map<String, Object> prometheus(ClusterPlan plan) {
        return Map.of(
                "scrape_configs",
                List.of(
                        job(
                                "ecfs-namenode",
                                plan.namenodes().stream()
                                        .map(n -> plan.statusAddress(n.id()))
                                        .toList()),
                        job(
                                "ecfs-datanode",
                                plan.datanodes().stream()
                                        .map(d -> plan.statusAddress(d.id()))
                                        .toList()),
                        job("ecfs-console", List.of(plan.consoleAddress()))));
    }

    private static Map<String, Object> job(String name, List<Address> targets) {
        return Map.of(
                "job_name",
                name,
                "static_configs",
                List.of(Map.of(
                        "targets", targets.stream().map(Address::toString).toList())));
    }

    private static Map<String, Object> namenode(Path directory, ClusterPlan plan, ClusterPlan.NamenodePlan namenode) {
        Map<String, Object> peers = new LinkedHashMap<>();
        for (ClusterPlan.NamenodePlan peer : plan.namenodes()) {
            peers.put(
                    peer.id(),
                    Map.of(
                            "address",
                            peer.address().toString(),
                            "raft",
                            peer.logAddress().toString()));
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", namenode.id());
        tree.put("cluster", "local");
        tree.put("namenodes", peers);
        tree.put("directory", directory.resolve(namenode.id()).toString());
        tree.put("listen", namenode.address().toString());
        tree.put("status", plan.statusAddress(namenode.id()).toString());
        tree.put(
                "settings",
                Map.of(
                        "superuser",
                        System.getProperty("user.name"),
                        "defaultPolicy",
                        plan.policy().name(),
                        // With all n, a namenode that starts while one datanode is dead would refuse writes until it is
                        // back.
                        "safeModeDatanodes",
                        plan.policy().dataChunks()));
        return tree;
    }

    private static Map<String, Object> datanode(Path directory, ClusterPlan plan, ClusterPlan.DatanodePlan datanode) {
        Path root = directory.resolve(datanode.id());
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", datanode.id());
        tree.put("home", home(directory, datanode.id()).toString());
        tree.put("listen", datanode.address().toString());
        tree.put("status", plan.statusAddress(datanode.id()).toString());
        tree.put("rack", datanode.rack());
        tree.put(
                "namenodes",
                plan.namenodes().stream().map(n -> n.address().toString()).toList());
        tree.put(
                "volumes",
                IntStream.range(0, datanode.volumes())
                        .mapToObj(v -> root.resolve("volume" + v).toString())
                        .toList());
        return tree;
    }
}
