package io.ecfs.webhdfs;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.message.Address;
import io.ecfs.message.PrincipalName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Configuration of WebHDFS.
 *
 * @param cluster {@code ecfs://NAME}, its logical name, or {@code ecfs://host:port,host:port}, its namenodes
 * @param listen address of the listener; loopback by default, since nothing proves the user of a request
 * @param names host names by which clients reach it, beside IP addresses, {@code localhost} and the machine's own name
 * @param publicUrl {@code https://host:port/path}, where a proxy in front of it is reached; redirects lead there
 * @param proxyUsers users whose requests may act for others by {@code doas}, such as Hue's
 * @param transfers most requests that are served at once, each with a thread; later ones wait
 * @param userTransfers most requests of one user that are served at once; more are refused, to be repeated
 * @param users most users with a client of their own at once; clients without a request are closed first
 * @param idle timeout of an upload or download that does not progress
 * @param client settings of the users' clients
 */
public record WebHdfsConfig(
        String cluster,
        Address listen,
        List<String> names,
        Optional<String> publicUrl,
        List<String> proxyUsers,
        int transfers,
        int userTransfers,
        int users,
        Duration idle,
        ClientConfig client) {
    /** HDFS's port for it, which {@code webhdfs://host/} means. */
    public static final int USUAL_PORT = 9870;

    public WebHdfsConfig {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(listen, "listen");
        names = List.copyOf(names);
        proxyUsers = List.copyOf(proxyUsers);
        Objects.requireNonNull(client, "client");
        publicUrl.ifPresent(PublicUrl::parse);
        proxyUsers.forEach(WebHdfsConfig::requireName);
        if (transfers < 1 || userTransfers < 1 || users < 1) {
            throw new IllegalArgumentException("transfers, userTransfers and users must be at least 1: " + transfers
                    + ", " + userTransfers + " and " + users);
        }
        if (idle.toMillis() < 1000) {
            throw new IllegalArgumentException("idle must be at least 1s: " + idle.toMillis() + " ms");
        }
    }

    private static void requireName(String proxyUser) {
        if (!PrincipalName.valid(proxyUser)) {
            throw new IllegalArgumentException("proxyUsers: a user's name has " + PrincipalName.RULE);
        }
    }

    Optional<PublicUrl> proxy() {
        return publicUrl.map(PublicUrl::parse);
    }

    /** Without a cluster, which must be given. */
    static WebHdfsConfig defaults() {
        return new WebHdfsConfig(
                "",
                new Address("127.0.0.1", USUAL_PORT),
                List.of(),
                Optional.empty(),
                List.of(),
                64,
                32,
                16,
                Duration.ofMinutes(5),
                ClientConfig.defaults().with("namenodeDeadline=20s"));
    }
}
