package io.ecfs.namenode.audit;

import io.ecfs.env.real.Metric;
import java.util.List;
import java.util.Map;

/**
 * An audit log in numbers, since the process began.
 *
 * @param written lines written
 * @param waiting lines in the queue
 * @param refusedChanges changes that were refused because the queue was full
 * @param droppedReads lines of reads and denied reads that had no place in the queue
 * @param failedWrites attempts to write that failed
 */
public record AuditCounts(long written, long waiting, long refusedChanges, long droppedReads, long failedWrites) {
    /** By the names that monitors see. */
    public List<Metric> named(String namenode) {
        Map<String, String> labels = Map.of("namenode", namenode);
        return List.of(
                Metric.counter("ecfs_namenode_audit_lines_total", "Lines written to the audit log", labels, written),
                Metric.gauge("ecfs_namenode_audit_queued_lines", "Lines that wait to be written", labels, waiting),
                Metric.counter(
                        "ecfs_namenode_audit_refused_changes_total",
                        "Changes refused because the audit log could not take their lines",
                        labels,
                        refusedChanges),
                Metric.counter(
                        "ecfs_namenode_audit_dropped_reads_total",
                        "Lines of reads that had no place in the audit log",
                        labels,
                        droppedReads),
                Metric.counter(
                        "ecfs_namenode_audit_write_errors_total",
                        "Attempts to write to the audit log that failed",
                        labels,
                        failedWrites));
    }
}
