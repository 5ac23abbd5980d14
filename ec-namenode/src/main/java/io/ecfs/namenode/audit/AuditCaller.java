package io.ecfs.namenode.audit;

import java.util.Objects;

/**
 * Sender of a request.
 *
 * @param user that the connection's greeting named
 * @param address host of the connection's other end, without its port
 * @param context what the greeting says of the program, and of the person that it acts for; a claim, not a proof
 */
public record AuditCaller(String user, String address, String context) {
    public AuditCaller {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(context, "context");
    }
}
