package io.ecfs.namenode.audit;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceReply.AuditLines;
import io.ecfs.message.namespace.NamespaceRequest.ListAudit;

/** Reads an audit log back. Safe for use by several threads. */
@FunctionalInterface
public interface AuditSource {
    /**
     * Returns one page, after a bounded amount of reading.
     *
     * @throws EcfsException {@code UNSUPPORTED} when there is no file to read
     */
    AuditLines page(ListAudit request) throws EcfsException;

    /** Of a namenode that writes no lines, or elsewhere than to a file. */
    static AuditSource none() {
        return request -> {
            throw new EcfsException(
                    ErrorCode.UNSUPPORTED,
                    "this namenode has no audit log in a file: set audit.target to FILE, or look where its logger"
                            + " writes");
        };
    }
}
