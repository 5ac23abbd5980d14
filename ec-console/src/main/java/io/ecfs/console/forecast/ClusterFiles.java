package io.ecfs.console.forecast;

import io.ecfs.advise.FileSet;
import io.ecfs.advise.FileSizes;
import io.ecfs.client.EcfsClient;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.FindNames;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Sizes of the files below a directory of a running cluster.
 *
 * @param sets at least one
 * @param denied directories that were skipped, since the caller may not list them
 * @param datanodes of the cluster that are not dead
 */
public record ClusterFiles(List<FileSet> sets, long denied, int datanodes) {
    public ClusterFiles {
        sets = List.copyOf(sets);
    }

    /**
     * Reads them page by page.
     *
     * @throws IllegalArgumentException in one line when the path is no directory, or no file below it has a byte
     */
    public static ClusterFiles read(EcfsClient client, FilePath top) throws IOException {
        if (!Await.result(client.status(top)).directory()) {
            throw new IllegalArgumentException(
                    top + " is a file: --from takes a cluster or a directory of it, such as ecfs://prod/data");
        }
        FileSizes sizes = new FileSizes();
        long denied = 0;
        Optional<FilePath> after = Optional.empty();
        do {
            NamespaceReply.Found page = Await.result(client.find(top, "*", false, after, FindNames.MAX_PAGE));
            page.entries().stream()
                    .filter(entry -> !entry.directory())
                    .mapToLong(FileStatus::length)
                    .forEach(sizes::add);
            denied += page.denied();
            after = page.next();
        } while (after.isPresent());
        List<FileSet> sets = sizes.sets();
        if (sets.isEmpty()) {
            throw new IllegalArgumentException(
                    "no file below " + top + " that you may list has a byte: give --files 10000x64m instead");
        }
        return new ClusterFiles(
                sets, denied, datanodes(Await.result(client.admin().report())));
    }

    private static int datanodes(ClusterReport report) {
        return Math.toIntExact(report.datanodes().stream()
                .filter(datanode -> datanode.state() != DatanodeState.DEAD)
                .count());
    }
}
