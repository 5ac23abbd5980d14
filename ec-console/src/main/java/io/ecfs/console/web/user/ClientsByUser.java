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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Clients by user of the session. The namenodes check a viewer's paths by the viewer's own permissions. An operator's
 * requests run as the user of the console's process, and the namenodes' audit log has the operator as their context.
 * A client is created at the first request. Safe for use by several threads.
 */
public final class ClientsByUser implements AutoCloseable {
    private final ConsoleConfig config;

    @GuardedBy("this")
    private final Map<Key, EcfsClient> clients = new HashMap<>();

    @GuardedBy("this")
    private boolean closed;

    private record Key(String name, boolean operator) {}

    public ClientsByUser(ConsoleConfig config) {
        this.config = config;
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

    private synchronized EcfsClient of(Key user) throws EcfsException {
        EcfsClient known = clients.get(user);
        if (known == null) {
            if (closed) {
                throw new EcfsException(ErrorCode.UNREACHABLE, "the console stops");
            }
            ClientConfig client = config.client().with("networkThreads=1", "context=" + context(user.name()));
            Identity identity =
                    user.operator() ? Identity.ofThisProcess() : new Identity(user.name(), List.of(user.name()));
            known = EcfsClient.connect(ClusterUri.resolve(config.cluster()), client, identity);
            clients.put(user, known);
        }
        return known;
    }

    /** Account names may have any characters; the audit log has {@code ?} for those that a context cannot have. */
    private static String context(String account) {
        String context = "console:" + account.replaceAll("[^ -~]", "?");
        return context.substring(0, Math.min(context.length(), ClientConfig.MOST_CONTEXT));
    }

    @Override
    public synchronized void close() {
        closed = true;
        clients.values().forEach(EcfsClient::close);
        clients.clear();
    }
}
