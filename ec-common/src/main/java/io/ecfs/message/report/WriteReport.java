package io.ecfs.message.report;

import java.util.List;

/**
 * Writes of all clients, as they reported them.
 *
 * @param sinceMillis when the namenode began to add them up, since the epoch
 * @param shares one for each policy and side
 */
public record WriteReport(long sinceMillis, List<WriteShare> shares) {
    public WriteReport {
        shares = List.copyOf(shares);
    }
}
