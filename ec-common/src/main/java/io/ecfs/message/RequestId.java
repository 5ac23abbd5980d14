package io.ecfs.message;

import java.util.Objects;

/**
 * Names one mutating call of one client, and stays the same when the call is sent again: the namenode remembers the answer, so
 * a retry after a failover has its effect once (HDFS: RetryCache; Raft dissertation section 6.3).
 *
 * @param client unique for each client instance; also the holder of its leases
 * @param sequence grows with every new call of this client
 */
public record RequestId(String client, long sequence) {
    public RequestId {
        Objects.requireNonNull(client, "client");
        if (client.isEmpty() || client.length() > 64) {
            throw new IllegalArgumentException("client id must have 1 to 64 characters, got " + client.length());
        }
    }
}
