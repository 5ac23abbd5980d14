package io.ecfs.hadoop;

import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * A directory's entries, page by page; at most one page is in memory. The first is fetched by the constructor. For one
 * thread.
 */
final class Listing implements RemoteIterator<org.apache.hadoop.fs.FileStatus> {

    /** Asks for one page. */
    interface Pages {
        /** @param name the last entry of the page before; empty for the first page */
        NamespaceReply.Listing after(String name) throws IOException;
    }

    private final Path path;
    private final Pages pages;
    private final Function<FileStatus, org.apache.hadoop.fs.FileStatus> translation;
    private final ArrayDeque<FileStatus> entries = new ArrayDeque<>();
    private boolean more;

    Listing(Path path, Pages pages, Function<FileStatus, org.apache.hadoop.fs.FileStatus> translation)
            throws IOException {
        this.path = path;
        this.pages = pages;
        this.translation = translation;
        fetch("");
    }

    private void fetch(String after) throws IOException {
        NamespaceReply.Listing page = pages.after(after);
        entries.addAll(page.entries());
        more = page.more() && !page.entries().isEmpty();
    }

    @Override
    public boolean hasNext() {
        return !entries.isEmpty();
    }

    @Override
    public org.apache.hadoop.fs.FileStatus next() throws IOException {
        if (entries.isEmpty()) {
            throw new NoSuchElementException("no more entries in " + path);
        }
        FileStatus next = entries.remove();
        if (entries.isEmpty() && more) {
            fetch(next.path().name());
        }
        return translation.apply(next);
    }
}
