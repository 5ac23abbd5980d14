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
 * Clients by user of the session, so that the namenodes check a viewer's paths by the viewer's own permissions. A
 * viewer's client is created at the first request. Safe for use by several threads.
 */
public final class ClientsByUser implements AutoCloseable {
    private final EcfsClient own;
    private final ConsoleConfig config;

    @GuardedBy("this")
    private final Map<String, EcfsClient> viewers = new HashMap<>();

    @GuardedBy("this")
    private boolean closed;

    /** @param own of the console's process; not closed here */
    public ClientsByUser(EcfsClient own, ConsoleConfig config) {
        this.own = own;
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
        return operator(request) ? own : of(request.getUserPrincipal().getName());
    }

    /** True for a request of an operator. */
    public static boolean operator(HttpServletRequest request) {
        return request.isUserInRole(Role.OPERATOR.name());
    }

    private synchronized EcfsClient of(String viewer) throws EcfsException {
        EcfsClient known = viewers.get(viewer);
        if (known == null) {
            if (closed) {
                throw new EcfsException(ErrorCode.UNREACHABLE, "the console stops");
            }
            ClientConfig client = config.client().with("networkThreads=1");
            known = EcfsClient.connect(
                    ClusterUri.resolve(config.cluster()), client, new Identity(viewer, List.of(viewer)));
            viewers.put(viewer, known);
        }
        return known;
    }

    @Override
    public synchronized void close() {
        closed = true;
        viewers.values().forEach(EcfsClient::close);
        viewers.clear();
    }
}
