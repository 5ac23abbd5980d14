package io.ecfs.datanode.store.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Cache of open files, at most {@code bound} of them unused, least recently used closed first. A file in use is never
 * closed under its user. All access is positional, so that users of one channel cannot disturb each other (HDDS-6614).
 */
final class OpenFiles {
    private final int bound;
    private final Channels channels;
    // Files are opened under this lock too. A release does not lock it: event loops release, and must not be
    // blocked by a disk that does not answer an open.
    @GuardedBy("this")
    private final Map<Path, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);

    OpenFiles(int bound, Channels channels) {
        if (bound < 1) {
            throw new IllegalArgumentException("at least one file must stay open, got " + bound);
        }
        this.bound = bound;
        this.channels = channels;
    }

    /** Use of an open file. */
    interface Use<T> {
        T with(FileChannel channel) throws IOException;
    }

    /**
     * Lends the file for one use, opened when it is not open yet: for writing too, unless the disk takes no change any
     * more.
     */
    <T> T use(Path path, Use<T> use) throws IOException {
        try (Loan loan = lend(path)) {
            return use.with(loan.channel());
        }
    }

    /** Lends the file until the loan is closed, opened as by {@link #use}. */
    Loan lend(Path path) throws IOException {
        return new Loan(take(path));
    }

    /** One use of a file that outlives a call; closed once. */
    static final class Loan implements AutoCloseable {
        private final OpenFile file;

        private Loan(OpenFile file) {
            this.file = file;
        }

        FileChannel channel() {
            return file.channel;
        }

        @Override
        public void close() throws IOException {
            file.release();
        }
    }

    /** Creates an empty file and leaves it open, since a write follows. */
    synchronized void create(Path path) throws IOException {
        files.put(path, open(path, StandardOpenOption.CREATE_NEW));
        evict();
    }

    /**
     * Renames a file by {@code move}; it stays open under the new name, and the file that had the name is dropped from
     * the cache.
     */
    synchronized void rename(Path from, Path to, Move move) throws IOException {
        move.run();
        forget(to);
        OpenFile file = files.remove(from);
        if (file != null) {
            files.put(to, file);
        }
    }

    /** Renames the file on disk. */
    interface Move {
        void run() throws IOException;
    }

    /** Closes the file, at once or after its present use, because its name is removed. */
    synchronized void forget(Path path) throws IOException {
        OpenFile file = files.remove(path);
        if (file != null) {
            file.release();
        }
    }

    synchronized void close() throws IOException {
        for (Path path : files.keySet().toArray(Path[]::new)) {
            forget(path);
        }
    }

    private synchronized OpenFile take(Path path) throws IOException {
        OpenFile file = files.get(path);
        if (file == null || !file.channel.isOpen()) {
            file = openAsItMayBe(path);
            files.put(path, file);
        }
        file.holds.incrementAndGet();
        evict();
        return file;
    }

    private OpenFile openAsItMayBe(Path path) throws IOException {
        try {
            return open(path, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (FileSystemException e) {
            try {
                return new OpenFile(channels.open(path, StandardOpenOption.READ));
            } catch (IOException unreadable) {
                e.addSuppressed(unreadable);
                throw e;
            }
        }
    }

    private OpenFile open(Path path, StandardOpenOption mode) throws IOException {
        return new OpenFile(channels.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, mode));
    }

    @GuardedBy("this")
    private void evict() throws IOException {
        Iterator<OpenFile> eldestFirst = files.values().iterator();
        for (int surplus = files.size() - bound; surplus > 0 && eldestFirst.hasNext(); ) {
            OpenFile file = eldestFirst.next();
            if (file.holds.compareAndSet(1, 0)) {
                eldestFirst.remove();
                file.channel.close();
                surplus--;
            }
        }
    }

    private static final class OpenFile {
        final FileChannel channel;
        /** References: one for each use, and one as long as the file may be lent. */
        final AtomicInteger holds = new AtomicInteger(1);

        OpenFile(FileChannel channel) {
            this.channel = channel;
        }

        void release() throws IOException {
            if (holds.decrementAndGet() == 0) {
                channel.close();
            }
        }
    }
}
