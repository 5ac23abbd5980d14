package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.FileProblem;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Files that lost a group, page by page, each once for every group it lost. For one thread. */
final class CorruptFiles implements RemoteIterator<Path> {
    private final EcfsClient client;
    private final FilePath below;
    private final Path shown;
    private final UnaryOperator<Path> qualified;
    private final ArrayDeque<Path> found = new ArrayDeque<>();
    private long next;
    private boolean more = true;

    CorruptFiles(EcfsClient client, FilePath below, Path shown, UnaryOperator<Path> qualified) throws IOException {
        this.client = client;
        this.below = below;
        this.shown = shown;
        this.qualified = qualified;
        fetch();
    }

    private void fetch() throws IOException {
        while (found.isEmpty() && more) {
            NamespaceReply.Problems page = HadoopFailures.awaitLookup(
                    client.admin().problems(below, true, next, NamespaceRequest.FindProblems.MAX_PAGE), shown);
            for (FileProblem problem : page.problems()) {
                found.add(qualified.apply(new Path(problem.path().text())));
            }
            next = page.next();
            more = next != 0;
        }
    }

    @Override
    public boolean hasNext() {
        return !found.isEmpty();
    }

    @Override
    public Path next() throws IOException {
        if (found.isEmpty()) {
            throw new NoSuchElementException("no more corrupt files below " + shown);
        }
        Path path = found.remove();
        fetch();
        return path;
    }
}
