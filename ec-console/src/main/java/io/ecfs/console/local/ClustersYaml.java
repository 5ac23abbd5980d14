package io.ecfs.console.local;

import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClustersFile;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/** Changes the text of a {@link ClustersFile} as a tree of nodes, so that comments and other entries stay. */
final class ClustersYaml {
    private static final String CLUSTERS = "clusters";
    private static final String NAMENODES = "namenodes";

    private ClustersYaml() {}

    /**
     * Returns the text with an entry for a cluster.
     *
     * @param text of a file that {@link ClustersFile#read} accepts, or empty
     * @throws EcfsException when it has a form of YAML that cannot be changed here, such as several documents
     */
    static String with(String text, ClusterName name, List<Address> namenodes) throws EcfsException {
        try {
            return changed(text, name, namenodes);
        } catch (YAMLException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "the file of cluster names cannot be changed: "
                            + e.getMessage().lines().findFirst().orElse(""),
                    e);
        }
    }

    private static String changed(String text, ClusterName name, List<Address> namenodes) {
        Yaml yaml = yaml();
        MappingNode root = yaml.compose(new StringReader(text)) instanceof MappingNode map ? map : block();
        MappingNode clusters = value(root, CLUSTERS) instanceof MappingNode map ? map : block();
        put(clusters, name.text(), entry(namenodes));
        put(root, CLUSTERS, clusters);
        StringWriter changed = new StringWriter();
        yaml.serialize(root, changed);
        return changed.toString();
    }

    private static Yaml yaml() {
        LoaderOptions reading = new LoaderOptions();
        reading.setProcessComments(true);
        DumperOptions writing = new DumperOptions();
        writing.setProcessComments(true);
        writing.setWidth(Integer.MAX_VALUE);
        return new Yaml(new SafeConstructor(reading), new Representer(writing), writing, reading);
    }

    private static Node entry(List<Address> namenodes) {
        List<Node> addresses = new ArrayList<>();
        namenodes.forEach(address -> addresses.add(scalar(address.toString(), ScalarStyle.DOUBLE_QUOTED)));
        return new MappingNode(
                Tag.MAP,
                new ArrayList<>(List.of(new NodeTuple(
                        scalar(NAMENODES, ScalarStyle.PLAIN), new SequenceNode(Tag.SEQ, addresses, FlowStyle.FLOW)))),
                FlowStyle.FLOW);
    }

    private static MappingNode block() {
        return new MappingNode(Tag.MAP, new ArrayList<>(), FlowStyle.BLOCK);
    }

    private static ScalarNode scalar(String text, ScalarStyle style) {
        return new ScalarNode(Tag.STR, text, null, null, style);
    }

    private static Node value(MappingNode map, String key) {
        return map.getValue().stream()
                .filter(tuple -> is(tuple, key))
                .map(NodeTuple::getValueNode)
                .findFirst()
                .orElseGet(ClustersYaml::block);
    }

    private static void put(MappingNode map, String key, Node value) {
        List<NodeTuple> tuples = map.getValue();
        for (int i = 0; i < tuples.size(); i++) {
            if (is(tuples.get(i), key)) {
                tuples.set(i, new NodeTuple(tuples.get(i).getKeyNode(), value));
                return;
            }
        }
        tuples.add(new NodeTuple(scalar(key, ScalarStyle.PLAIN), value));
    }

    private static boolean is(NodeTuple tuple, String key) {
        return tuple.getKeyNode() instanceof ScalarNode scalar
                && scalar.getValue().equals(key);
    }
}
