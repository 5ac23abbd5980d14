package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.SumDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;

/**
 * Sums of the tree at a path, added up page by page: the namenode never walks a tree in one call. Concurrent changes
 * are counted as they are found.
 */
final class TreeSums {
    private static final long UNBOUNDED = -1;

    private final EcfsClient client;
    private final Path shown;
    private long files;
    private long directories;
    private long length;
    private long space;

    TreeSums(EcfsClient client, Path shown) {
        this.client = client;
        this.shown = shown;
    }

    /**
     * Sums of a file, or of a directory and all below it.
     *
     * @param status of the path, when it was read
     */
    ContentSummary of(FileStatus status) throws IOException {
        FilePath path = status.path();
        Deque<FilePath> left = new ArrayDeque<>();
        left.push(path);
        directories = status.directory() ? 1 : 0;
        while (!left.isEmpty()) {
            FilePath next = left.pop();
            try {
                add(next, left);
            } catch (FileNotFoundException e) {
                if (next.equals(path)) {
                    throw e;
                }
                directories--;
            }
        }
        NamespaceReply.Quota quota = HadoopFailures.awaitLookup(client.quota(path), shown);
        return new ContentSummary.Builder()
                .length(length)
                .fileCount(files)
                .directoryCount(directories)
                .spaceConsumed(space)
                .quota(quota.names().orElse(UNBOUNDED))
                .spaceQuota(quota.space().orElse(UNBOUNDED))
                .erasureCodingPolicy(status.policy().name())
                .build();
    }

    private void add(FilePath directory, Deque<FilePath> left) throws IOException {
        String after = "";
        do {
            NamespaceReply.Sums page =
                    HadoopFailures.awaitLookup(client.sums(directory, after, SumDirectory.MAX_PAGE), shown);
            files += page.files();
            length += page.length();
            space += page.space();
            directories += page.directories().size();
            page.directories().forEach(name -> left.push(directory.child(name)));
            after = page.last();
        } while (!after.isEmpty());
    }

    /** Usage under a quota by the namenode's own counts, in one call; otherwise by walking the tree. */
    QuotaUsage usage(FileStatus status) throws IOException {
        NamespaceReply.Quota quota = HadoopFailures.awaitLookup(client.quota(status.path()), shown);
        if (quota.names().isEmpty() && quota.space().isEmpty()) {
            return of(status);
        }
        return new QuotaUsage.Builder()
                .fileAndDirectoryCount(quota.namesUsed())
                .spaceConsumed(quota.spaceUsed())
                .quota(quota.names().orElse(UNBOUNDED))
                .spaceQuota(quota.space().orElse(UNBOUNDED))
                .build();
    }
}
