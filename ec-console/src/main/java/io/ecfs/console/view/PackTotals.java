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
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Sums over all groups of the cluster that small files share.
 *
 * @param groups that have bytes of files, those that are being written included
 * @param open of these, being written
 * @param bytes user bytes of those that are sealed
 * @param liveBytes of these, those that files refer to; the others are padding, and bytes of deleted files
 * @param cleanBelow live share below which packs are cleaned; empty from a namenode of an earlier release
 * @param deadShare of {@code bytes} that must be dead for it; empty likewise
 * @param sparse sealed groups with a smaller live share
 * @param sparseDeadBytes user bytes of these to which no file refers: what cleaning frees at
 *     most
 */
public record PackTotals(
        long groups,
        long open,
        long bytes,
        long liveBytes,
        Optional<Double> cleanBelow,
        Optional<Double> deadShare,
        long sparse,
        long sparseDeadBytes) {
    public static final PackTotals NONE = new PackTotals(0, 0, 0, 0, Optional.empty(), Optional.empty(), 0, 0);

    /** Receives each page before the next one is requested. */
    public interface EachPage {
        void read(List<PackUse> packs) throws IOException;
    }

    static PackTotals ask(ClusterAdmin admin) throws IOException {
        return ask(admin, packs -> {});
    }

    /** Asks page by page, as the superuser. */
    public static PackTotals ask(ClusterAdmin admin, EachPage each) throws IOException {
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
            totals = totals.plus(page);
            each.read(page.packs());
            after = page.next();
        } while (after > 0);
        return totals;
    }

    PackTotals plus(NamespaceReply.Packs page) {
        PackTotals totals = new PackTotals(
                groups, open, bytes, liveBytes, page.cleanBelow(), page.deadShare(), sparse, sparseDeadBytes);
        for (PackUse pack : page.packs()) {
            totals = totals.plus(pack);
        }
        return totals;
    }

    private PackTotals plus(PackUse pack) {
        if (pack.length() < 0) {
            return new PackTotals(
                    groups + 1, open + 1, bytes, liveBytes, cleanBelow, deadShare, sparse, sparseDeadBytes);
        }
        boolean few = cleanBelow
                .filter(share -> pack.liveBytes() < share * pack.length())
                .isPresent();
        return new PackTotals(
                groups + 1,
                open,
                bytes + pack.length(),
                liveBytes + pack.liveBytes(),
                cleanBelow,
                deadShare,
                sparse + (few ? 1 : 0),
                sparseDeadBytes + (few ? pack.length() - pack.liveBytes() : 0));
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
                            : "")
                    + (sparse > 0
                            ? "; cleaning frees at most " + TextTable.bytes(sparseDeadBytes) + " in " + sparse
                                    + " groups"
                            : ""));
        }
    }
}
