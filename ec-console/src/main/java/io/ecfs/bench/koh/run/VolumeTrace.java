package io.ecfs.bench.koh.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of lines {@code ns op file offset bytes}, one for each call; {@code ns} since the begin of all traces of a
 * run. Safe for use by several threads.
 */
final class VolumeTrace implements AutoCloseable {
    private final Path path;
    private final long begin;

    @GuardedBy("this")
    private final Writer lines;

    @GuardedBy("this")
    private boolean closed;

    /**
     * Begins a new file, in place of one that is there.
     *
     * @param begin of the run, of {@link System#nanoTime}
     */
    VolumeTrace(Path path, long begin) {
        this.path = path;
        this.begin = begin;
        try {
            this.lines = Files.newBufferedWriter(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace " + path, e);
        }
    }

    synchronized void add(String op, String file, long offset, int bytes) {
        if (closed) {
            return;
        }
        try {
            lines.write(System.nanoTime() - begin + " " + op + " " + file + " " + offset + " " + bytes + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace " + path, e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace " + path, e);
        }
    }
}
