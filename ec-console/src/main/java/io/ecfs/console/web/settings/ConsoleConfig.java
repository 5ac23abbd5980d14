package io.ecfs.console.web.settings;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.message.Address;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Configuration of the console.
 *
 * @param cluster its logical name, {@code ecfs://prod}, or its namenodes, {@code ecfs://host:port,host:port}
 * @param listen address of the listener; loopback by default
 * @param proxy IP address of a TLS proxy in front: the client address in its header is trusted, and cookies are
 *     {@code Secure}; empty without
 * @param tls of the listener, which then accepts TLS only; empty without
 * @param directory of the audit log
 * @param accounts by user name
 * @param sessionIdle idle timeout of a session, in whole minutes
 * @param sessionLifetime maximum lifetime of a session
 * @param refresh interval of polls of the cluster
 * @param webhooks receivers of alerts, by name
 * @param benchmarks directory of files of {@code ecfs bench --json}; none are shown when empty
 * @param client client of the namenodes, with {@code client.tls} where they have {@code wire.tls}
 * @param pages directory served in place of the built-in pages, for development
 */
public record ConsoleConfig(
        String cluster,
        Address listen,
        Optional<String> proxy,
        Optional<ConsoleTls> tls,
        String directory,
        Map<String, Account> accounts,
        Duration sessionIdle,
        Duration sessionLifetime,
        Duration refresh,
        Map<String, Webhook> webhooks,
        Optional<String> benchmarks,
        ClientConfig client,
        Optional<String> pages) {
    public static final int USUAL_PORT = 9780;

    /** Gives up sooner than a job would: a person waits. */
    private static final String PATIENCE = "8s";

    /** Of one call, so that the patience suffices for a second namenode when the first is silent. */
    private static final String CALL = "3s";

    private static final int MOST_WEBHOOKS = 16;

    public ConsoleConfig {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(listen, "listen");
        Objects.requireNonNull(proxy, "proxy");
        Objects.requireNonNull(tls, "tls");
        Objects.requireNonNull(benchmarks, "benchmarks");
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(pages, "pages");
        accounts = Collections.unmodifiableMap(new LinkedHashMap<>(accounts));
        webhooks = Collections.unmodifiableMap(new TreeMap<>(webhooks));
        if (webhooks.size() > MOST_WEBHOOKS) {
            throw new IllegalArgumentException("at most " + MOST_WEBHOOKS + " webhooks, got " + webhooks.size());
        }
        webhooks.keySet().forEach(Webhook::requireName);
        if (sessionIdle.toMinutes() < 1 || sessionLifetime.compareTo(sessionIdle) < 0) {
            throw new IllegalArgumentException("sessionIdle must be at least 1m and no more than sessionLifetime: "
                    + sessionIdle.toSeconds() + " s and " + sessionLifetime.toSeconds() + " s");
        }
        if (refresh.toMillis() < 100) {
            throw new IllegalArgumentException("refresh must be at least 100ms: " + refresh.toMillis() + " ms");
        }
    }

    /** Without a cluster and accounts, which must be said. */
    static ConsoleConfig defaults() {
        return new ConsoleConfig(
                "",
                new Address("127.0.0.1", USUAL_PORT),
                Optional.empty(),
                Optional.empty(),
                ".ecfs/console",
                Map.of(),
                Duration.ofMinutes(30),
                Duration.ofHours(12),
                Duration.ofSeconds(1),
                Map.of(),
                Optional.empty(),
                ClientConfig.defaults().with("namenodeDeadline=" + PATIENCE, "callTimeout=" + CALL),
                Optional.empty());
    }

    /** True when browsers connect by TLS: its own, or a proxy's. */
    public boolean secure() {
        return tls.isPresent() || proxy.isPresent();
    }

    /**
     * A browser keeps cookies by host and not by port: two consoles of one host must not take each other's for their
     * own.
     */
    public String cookie(String name) {
        return listen.port() == 0 ? name : name + "_" + listen.port();
    }

    /** The same with one account more. */
    public ConsoleConfig withAccount(String user, Account account) {
        Map<String, Account> more = new LinkedHashMap<>(accounts);
        more.put(user, account);
        return new ConsoleConfig(
                cluster,
                listen,
                proxy,
                tls,
                directory,
                more,
                sessionIdle,
                sessionLifetime,
                refresh,
                webhooks,
                benchmarks,
                client,
                pages);
    }
}
