package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.BulkDeleteUtils;
import org.apache.hadoop.fs.Path;

/**
 * Deletes many files and empty directories side by side, what lies deepest first. What is not there is deleted already.
 */
final class BulkDeletes implements BulkDelete {
    static final int PAGE = 250;

    private final EcfsClient client;
    private final Path base;
    private final Function<Path, FilePath> names;

    /** @param names checks a path and takes its name */
    BulkDeletes(EcfsClient client, Path base, Function<Path, FilePath> names) {
        this.client = client;
        this.base = base;
        this.names = names;
    }

    @Override
    public int pageSize() {
        return PAGE;
    }

    @Override
    public Path basePath() {
        return base;
    }

    /** Paths that are still there, with the reason. */
    @Override
    public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> paths) throws IOException {
        BulkDeleteUtils.validateBulkDeletePaths(paths, PAGE, base);
        SortedMap<Integer, List<Path>> byDepth = new TreeMap<>(Comparator.reverseOrder());
        new HashSet<>(paths)
                .forEach(path -> byDepth.computeIfAbsent(path.depth(), depth -> new ArrayList<>())
                        .add(path));
        List<Map.Entry<Path, String>> left = new ArrayList<>();
        for (List<Path> level : byDepth.values()) {
            delete(level, left);
        }
        return left;
    }

    private void delete(List<Path> level, List<Map.Entry<Path, String>> left) throws IOException {
        List<CompletableFuture<Void>> calls = level.stream()
                .map(path -> client.delete(names.apply(path), false))
                .toList();
        for (int i = 0; i < calls.size(); i++) {
            try {
                Await.result(calls.get(i));
            } catch (EcfsException e) {
                if (e.code() != ErrorCode.NOT_FOUND) {
                    left.add(Map.entry(level.get(i), e.getMessage()));
                }
            }
        }
    }

    @Override
    public void close() {}
}
