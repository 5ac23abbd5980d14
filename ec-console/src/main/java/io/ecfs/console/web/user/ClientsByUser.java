package io.ecfs.console.web.user;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.console.web.settings.Account;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.console.web.settings.Role;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.PrincipalName;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Clients by user of the session. The namenodes check a viewer's paths by the viewer's own permissions. An operator's
 * requests run as the user of the console's process, and the namenodes' audit log has the operator as their context.
 * A client is created at the first request. Safe for use by several threads.
 */
public final class ClientsByUser implements AutoCloseable {
    /** Of a digest: a long name's, beside its begin. */
    private static final int LONG_NAME_DIGITS = 32;

    private final ConsoleConfig config;
    private final Names names;

    @GuardedBy("this")
    private final Map<Key, EcfsClient> clients = new HashMap<>();

    @GuardedBy("this")
    private boolean closed;

    /** Finds the namenodes of a cluster. */
    @FunctionalInterface
    interface Names {
        ClusterUri resolve(String cluster) throws EcfsException;
    }

    record Key(String name, boolean operator) {}

    public ClientsByUser(ConsoleConfig config) {
        this(config, ClusterUri::resolve);
    }

    ClientsByUser(ConsoleConfig config, Names names) {
        this.config = config;
        this.names = names;
    }

    /**
     * @throws EcfsException {@code INVALID_ARGUMENT} for a viewer that is called as no user is, or as the user of the
     *     console's process
     */
    public static void requireNames(Map<String, Account> accounts, Identity own) throws EcfsException {
        for (Map.Entry<String, Account> account : accounts.entrySet()) {
            String name = account.getKey();
            if (Role.parse(account.getValue().role()) != Role.VIEWER) {
                continue;
            }
            if (name.equals(own.user())) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "account " + name
                                + " is a viewer's and would see what the console's own user sees: give it another"
                                + " name");
            }
            if (!PrincipalName.valid(name)) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "the namenodes are asked in a viewer's name, which has " + PrincipalName.RULE + ": '" + name
                                + "'");
            }
        }
    }

    /** Asks as the user whom the request comes from. */
    public EcfsClient of(HttpServletRequest request) throws EcfsException {
        return of(new Key(request.getUserPrincipal().getName(), operator(request)));
    }

    /** True for a request of an operator. */
    public static boolean operator(HttpServletRequest request) {
        return request.isUserInRole(Role.OPERATOR.name());
    }

    EcfsClient of(Key user) throws EcfsException {
        Optional<EcfsClient> known = known(user);
        // Outside of the lock: it may ask DNS, for which requests of others need not wait.
        return known.isPresent() ? known.get() : connect(user, names.resolve(config.cluster()));
    }

    private synchronized Optional<EcfsClient> known(Key user) {
        return Optional.ofNullable(clients.get(user));
    }

    private synchronized EcfsClient connect(Key user, ClusterUri cluster) throws EcfsException {
        EcfsClient known = clients.get(user);
        if (known == null) {
            if (closed) {
                throw new EcfsException(ErrorCode.UNREACHABLE, "the console stops");
            }
            ClientConfig client = config.client().with("networkThreads=1", "context=" + context(user.name()));
            Identity identity =
                    user.operator() ? Identity.ofThisProcess() : new Identity(user.name(), List.of(user.name()));
            known = EcfsClient.connect(cluster, client, identity);
            clients.put(user, known);
        }
        return known;
    }

    /**
     * The account for the audit log, where no two are alike. Account names may have any characters: those that a
     * context cannot have, blanks, and the percent sign are written as in URLs (RFC 3986). Of a long name the begin is
     * there, and a digest of the whole.
     */
    static String context(String account) {
        StringBuilder context = new StringBuilder("console:");
        for (byte b : account.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b <= '~' && b != '%') {
                context.append((char) b);
            } else {
                context.append(String.format(Locale.ROOT, "%%%02X", b));
            }
        }
        if (context.length() <= ClientConfig.MOST_CONTEXT) {
            return context.toString();
        }
        String digest = "%~" + sha256(account).substring(0, LONG_NAME_DIGITS);
        return context.substring(0, ClientConfig.MOST_CONTEXT - digest.length()) + digest;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        clients.values().forEach(EcfsClient::close);
        clients.clear();
    }
}
