package io.ecfs.hadoop;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.NameSource;
import io.ecfs.client.name.Search;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** Names of clusters in Hadoop's configuration: {@code fs.ecfs.cluster.NAME} has the list of namenodes. */
final class ConfiguredNames implements NameSource {
    private static final String PREFIX = "fs.ecfs.cluster.";

    private final Configuration configuration;

    ConfiguredNames(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Optional<List<Address>> find(ClusterName name, Search search) throws EcfsException {
        Map<String, String> clusters = configuration.getPropsWithPrefix(PREFIX);
        for (Map.Entry<String, String> cluster : clusters.entrySet()) {
            if (cluster.getKey().equalsIgnoreCase(name.text())) {
                return Optional.of(usable(cluster.getKey(), () -> ClusterUri.addresses(cluster.getValue())));
            }
        }
        for (String key : clusters.keySet()) {
            if (ClusterName.isName(key)) { // a wrong one is no reason to fail for others
                search.known(List.of(ClusterName.of(key)));
            }
        }
        search.missed(PREFIX + name + " in Hadoop's configuration");
        return Optional.empty();
    }

    private static <T> T usable(String key, Supplier<T> value) throws EcfsException {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, PREFIX + key + ": " + e.getMessage(), e);
        }
    }
}
