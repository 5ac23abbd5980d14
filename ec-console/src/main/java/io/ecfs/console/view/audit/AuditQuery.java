package io.ecfs.console.view.audit;

import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.NamespaceReply.AuditLines;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Asks all namenodes for a page of their audit logs, each of which reads a bounded part of its file; see
 * {@link ClusterAudit}.
 */
public final class AuditQuery {
    private AuditQuery() {}

    /**
     * Asks the namenodes.
     *
     * @param after the {@code next} of the page before; empty for the first
     * @param containing text that the lines contain; empty: all
     * @param limit most entries
     */
    public static ClusterAudit ask(EcfsClient client, String after, String containing, int limit) throws IOException {
        AuditCursor from = AuditCursor.parse(after);
        Map<String, CompletableFuture<AuditLines>> asked = new TreeMap<>();
        for (ClusterReport.Namenode namenode :
                Await.result(client.admin().report()).namenodes()) {
            String id = namenode.id();
            if (after.isEmpty() || from.has(id)) {
                asked.put(id, client.admin().audit(namenode.address(), from.place(id), containing, limit));
            }
        }
        Map<String, AuditLines> pages = new TreeMap<>();
        Map<String, String> missing = new TreeMap<>();
        for (Map.Entry<String, CompletableFuture<AuditLines>> one : asked.entrySet()) {
            try {
                pages.put(one.getKey(), Await.result(one.getValue()));
            } catch (EcfsException e) {
                missing.put(one.getKey(), e.getMessage());
            }
        }
        return ClusterAudit.merged(pages, from, missing, limit);
    }

    /**
     * The latest entries of several pages.
     *
     * @param most entries
     * @param pages most pages: one in which few lines contain the text is read in vain
     */
    public static ClusterAudit latest(EcfsClient client, String containing, int most, int pages) throws IOException {
        List<AuditRecord> entries = new ArrayList<>();
        Map<String, String> missing = new TreeMap<>();
        Optional<String> after = Optional.of("");
        for (int page = 0; page < pages && after.isPresent() && entries.size() < most; page++) {
            int limit = Math.min(NamespaceRequest.ListAudit.MAX_PAGE, most - entries.size());
            ClusterAudit next = ask(client, after.get(), containing, limit);
            entries.addAll(next.entries());
            missing.putAll(next.missing());
            if (next.next().equals(after)) {
                break; // only namenodes that do not answer are left
            }
            after = next.next();
        }
        return new ClusterAudit(entries, after, missing);
    }
}
