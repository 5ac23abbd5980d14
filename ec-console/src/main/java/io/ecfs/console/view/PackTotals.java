package io.ecfs.console.view;

import io.ecfs.client.ClusterAdmin;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.ListPacks;
import io.ecfs.message.report.PackUse;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Sums over all groups of the cluster that small files share.
 *
 * @param groups that have bytes of files, those that are being written included
 * @param open of these, being written
 * @param bytes user bytes of those that are sealed
 * @param liveBytes of these, those that files refer to; the others are padding, and bytes of deleted files
 */
record PackTotals(long groups, long open, long bytes, long liveBytes) {
    private static final PackTotals NONE = new PackTotals(0, 0, 0, 0);

    static PackTotals ask(ClusterAdmin admin) throws IOException {
        PackTotals totals = NONE;
        long after = 0;
        do {
            NamespaceReply.Packs page;
            try {
                page = Await.result(admin.packs(after, ListPacks.MAX_PAGE));
            } catch (EcfsException e) {
                if (e.code() == ErrorCode.UNSUPPORTED) { // a namenode of an earlier release
                    return totals;
                }
                throw e;
            }
            for (PackUse pack : page.packs()) {
                totals = totals.plus(pack);
            }
            after = page.next();
        } while (after > 0);
        return totals;
    }

    private PackTotals plus(PackUse pack) {
        return pack.length() < 0
                ? new PackTotals(groups + 1, open + 1, bytes, liveBytes)
                : new PackTotals(groups + 1, open, bytes + pack.length(), liveBytes + pack.liveBytes());
    }

    /** One line, where there are packs. */
    void print(PrintWriter out) {
        if (groups > 0) {
            out.println(groups + " groups of the cluster are shared by small files"
                    + (open > 0 ? ", " + open + " of them being written" : "")
                    + (bytes > 0
                            ? String.format(
                                    Locale.ROOT,
                                    "; of %s in the others %.1f %% are live",
                                    TextTable.bytes(bytes),
                                    100.0 * Math.min(liveBytes, bytes) / bytes)
                            : ""));
        }
    }
}
