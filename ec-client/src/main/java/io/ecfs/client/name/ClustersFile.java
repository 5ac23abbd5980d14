package io.ecfs.client.name;

import io.ecfs.config.ConfigException;
import io.ecfs.config.ConfigReader;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A YAML file with the namenodes of clusters by name:
 *
 * <pre>
 *   clusters:
 *     prod: {namenodes: ["nn-a:9700", "nn-b:9700", "nn-c:9700"]}
 * </pre>
 *
 * @param path of the file, which need not exist
 */
public record ClustersFile(Path path) implements NameSource {
    /** Environment variable with the path of the one file that is read in place of the usual two. */
    public static final String VARIABLE = "ECFS_CLUSTERS";

    /** System property that does the same and is preferred to {@link #VARIABLE}. */
    public static final String PROPERTY = "ecfs.clusters";

    private static final Path OF_THIS_MACHINE = Path.of("/etc/ecfs/clusters.yaml");

    /** Content of a file. */
    record Content(Map<String, Entry> clusters) {
        static Content defaults() {
            return new Content(Map.of());
        }
    }

    /** One cluster. */
    record Entry(List<Address> namenodes) {
        Entry {
            namenodes = List.copyOf(namenodes);
            if (namenodes.isEmpty()) {
                throw new IllegalArgumentException("a cluster needs at least one namenode");
            }
        }
    }

    /** The file that {@code ecfs up} writes: {@link #PROPERTY}, {@link #VARIABLE}, or the one in the user's home. */
    public static ClustersFile ofThisUser() {
        return chosen().orElseGet(
                        () -> new ClustersFile(Path.of(System.getProperty("user.home", ""), ".ecfs", "clusters.yaml")));
    }

    /** Files to search, in order. */
    static List<ClustersFile> ofThisProcess() {
        return chosen().map(List::of).orElseGet(() -> List.of(ofThisUser(), new ClustersFile(OF_THIS_MACHINE)));
    }

    private static Optional<ClustersFile> chosen() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)))
                .filter(path -> !path.isBlank())
                .map(path -> new ClustersFile(Path.of(path)));
    }

    @Override
    public Optional<List<Address>> find(ClusterName name, Search search) throws EcfsException {
        Map<ClusterName, List<Address>> clusters = read();
        List<Address> found = clusters.get(name);
        if (found == null) {
            search.missed(path + (Files.exists(path) ? "" : " (does not exist)"));
            search.known(clusters.keySet());
        }
        return Optional.ofNullable(found);
    }

    /**
     * Namenodes by cluster; none when the file does not exist.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line: where in the file, and what is expected there
     */
    public Map<ClusterName, List<Address>> read() throws EcfsException {
        Map<ClusterName, List<Address>> clusters = new TreeMap<>();
        if (!Files.exists(path)) {
            return clusters;
        }
        try {
            ConfigReader.read(Content.class, path, List.of())
                    .clusters()
                    .forEach((name, entry) -> clusters.put(new ClusterName(name), entry.namenodes()));
            return clusters;
        } catch (ConfigException e) {
            throw unusable(e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw unusable(path + ": clusters: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unusable(path + " cannot be read (" + e.getMessage() + ")", e);
        }
    }

    private static EcfsException unusable(String message, Exception cause) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, message, cause);
    }
}
