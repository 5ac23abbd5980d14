package io.ecfs.namenode.store.rocks;

import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files around the databases: {@code db-0}, {@code db-1}, … and {@code CURRENT}, whose one line names the one that
 * counts. {@code CURRENT} is replaced by an atomic rename, so a crash during an install leaves the old or the new;
 * leftovers are removed on the next open. Where {@code CURRENT} is lost, or what it names, nothing else is removed: it
 * may be the state.
 */
final class StoreDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(StoreDirectory.class);
    private static final String POINTER = "CURRENT";
    private static final String PREFIX = "db-";

    private final Path directory;
    private volatile Path current;

    private StoreDirectory(Path directory, Path current) {
        this.directory = directory;
        this.current = current;
    }

    /** @throws IOException also when it is unclear which database counts: nothing is removed then */
    static StoreDirectory open(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path pointer = directory.resolve(POINTER);
        boolean pointed = Files.exists(pointer);
        String name = pointed ? Files.readString(pointer).strip() : PREFIX + 0;
        if (!name.matches(PREFIX + "\\d{1,18}")) {
            throw new IOException("file " + pointer + " names no database: '" + name + "'");
        }
        StoreDirectory opened = new StoreDirectory(directory, directory.resolve(name));
        List<Path> others = opened.allBut(opened.current);
        boolean sure = pointed && Files.exists(opened.current);
        if (!others.isEmpty() && !sure) {
            throw new IOException(opened.unclear(pointed, others));
        }
        others.forEach(opened::remove);
        if (!pointed) {
            opened.pointTo(opened.current);
        }
        return opened;
    }

    /** The first start makes {@code CURRENT} before any database, and only an install makes others than the first. */
    private String unclear(boolean pointed, List<Path> others) {
        Path pointer = directory.resolve(POINTER);
        List<String> present = Stream.concat(Stream.of(current).filter(Files::exists), others.stream())
                .map(database -> database.getFileName().toString())
                .sorted()
                .toList();
        String what = pointed
                ? "file " + pointer + " names " + current.getFileName() + ", which is not there, but " + present
                : "file " + pointer + ", which names the database that counts, is lost; there is " + present;
        String mend = !pointed && present.size() == 1
                ? "write this name into the file"
                : "replace this namenode as one whose disk was lost";
        return what + "; nothing was changed: " + mend;
    }

    Path current() {
        return current;
    }

    /**
     * A copy of a checkpoint under a new name, on disk; the checkpoint stays as it is. Immutable files are linked when
     * the file system can.
     */
    Path copy(Path checkpoint) throws IOException {
        long number = Long.parseLong(current.getFileName().toString().substring(PREFIX.length()));
        Path target = directory.resolve(PREFIX + (number + 1));
        remove(target);
        Files.createDirectory(target);
        try (Stream<Path> files = Files.list(checkpoint)) {
            for (Path file : files.toList()) {
                copyFile(file, target.resolve(file.getFileName()));
            }
        }
        sync(target);
        return target;
    }

    void pointTo(Path database) throws IOException {
        Path fresh = directory.resolve(POINTER + ".new");
        Files.writeString(fresh, database.getFileName() + "\n");
        sync(fresh);
        Files.move(fresh, directory.resolve(POINTER), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
        current = database;
    }

    /** Removes a database that does not count any more. What cannot be removed now is tried again on the next open. */
    void remove(Path database) {
        try {
            DirectoryTree.delete(database);
        } catch (IOException e) {
            LOG.warn("event=store_leftover database={} reason={}", database, e.toString());
        }
    }

    private List<Path> allBut(Path one) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.filter(child -> child.getFileName().toString().startsWith(PREFIX) && !child.equals(one))
                    .toList();
        }
    }

    private static void copyFile(Path from, Path to) throws IOException {
        if (from.getFileName().toString().endsWith(".sst")) {
            try {
                Files.createLink(to, from);
                return;
            } catch (FileSystemException | UnsupportedOperationException e) {
                LOG.debug("event=store_copy file={} reason={}", from, e.toString());
            }
        }
        Files.copy(from, to);
        sync(to);
    }

    private static void sync(Path path) throws IOException {
        boolean directory = Files.isDirectory(path);
        try (FileChannel channel =
                FileChannel.open(path, directory ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
