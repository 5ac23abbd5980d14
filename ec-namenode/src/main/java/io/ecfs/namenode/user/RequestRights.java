package io.ecfs.namenode.user;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceOperation;
import io.ecfs.message.namespace.NamespaceOperation.Access;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.command.CallerIdentity;

/**
 * Checks which user may ask what of a namenode, by the {@link NamespaceOperation} of the request. Only what the
 * superuser alone may ask is checked here, the rest where paths and leases are at hand.
 */
public final class RequestRights {
    private RequestRights() {}

    /** True when the superuser alone may ask this. */
    public static boolean superuserOnly(NamespaceRequest request) {
        if (request instanceof NamespaceRequest.Balance balance) {
            return balance.wish() != NamespaceRequest.Balance.Wish.LOOK;
        }
        return operation(request).access() == Access.SUPERUSER;
    }

    /** @throws EcfsException {@code ACCESS_DENIED} when it is the superuser's and the caller is another user */
    public static void require(ClusterIdentity identity, CallerIdentity caller, NamespaceRequest request)
            throws EcfsException {
        if (superuserOnly(request) && !identity.superuser(caller.user(), caller.groups())) {
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED,
                    "user " + caller.user() + " may not " + operation(request).doing() + ": only the superuser may");
        }
    }

    private static NamespaceOperation operation(NamespaceRequest request) {
        return request.getClass().getAnnotation(NamespaceOperation.class);
    }
}
