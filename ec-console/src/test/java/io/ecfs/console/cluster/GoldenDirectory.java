package io.ecfs.console.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * The directories of one release's daemons and a backup of its namenode, {@code golden/level-N.zip} beside this class,
 * and what a client read from that cluster, {@code level-N.txt}: the commit that wrote it, its feature level, then the
 * lines of {@link GoldenFiles#describe}.
 *
 * @param commit that wrote it
 */
record GoldenDirectory(Path zip, String commit, int level, List<String> description) {
    static final int MOST_BYTES = 2 << 20;

    private static final String COMMIT = "commit ";
    private static final String LEVEL = "level ";

    /** Locks of processes that have ended, and RocksDB's log for people. */
    private static final Set<String> LEFT_OUT = Set.of("LOCK", "in_use.lock", "LOG");

    /** One of the trees in the archive. */
    enum Part {
        /** Daemons that were stopped in order. */
        STOPPED,
        /** The same daemons a moment earlier, as a kill leaves them: the log is ahead of the state. */
        KILLED,
        /** A backup of the namenode, taken before its state was restored from it and the cluster went on. */
        BACKUP;

        String directory() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Of all releases that were recorded, the first level first. */
    static List<GoldenDirectory> all() throws IOException {
        URL golden = GoldenDirectory.class.getResource("golden");
        if (golden == null) {
            return List.of();
        }
        List<GoldenDirectory> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(golden.toURI()))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".txt")).toList()) {
                all.add(read(file));
            }
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
        all.sort(Comparator.comparingInt(GoldenDirectory::level));
        return all;
    }

    private static GoldenDirectory read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Path zip = file.resolveSibling(file.getFileName().toString().replace(".txt", ".zip"));
        return new GoldenDirectory(
                zip,
                lines.get(0).substring(COMMIT.length()),
                Integer.parseInt(lines.get(1).substring(LEVEL.length())),
                lines.subList(2, lines.size()));
    }

    /** Copies the directories of daemons, for {@link #record}; other daemons' ones and locks stay behind. */
    static void copyDaemons(Path cluster, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(cluster)) {
            for (Path path : tree.sorted().toList()) {
                String name = cluster.relativize(path).toString();
                if (name.matches("(nn|dn)\\d+(/.*)?")
                        && !LEFT_OUT.contains(path.getFileName().toString())) {
                    Path copy = to.resolve(name);
                    Files.createDirectories(copy.getParent());
                    Files.copy(path, copy);
                }
            }
        }
    }

    /** Writes archive and description into a directory. */
    static GoldenDirectory record(Path into, String commit, int level, Map<Part, Path> parts, List<String> description)
            throws IOException {
        Files.createDirectories(into);
        GoldenDirectory golden =
                new GoldenDirectory(into.resolve("level-" + level + ".zip"), commit, level, description);
        List<String> lines = new ArrayList<>(List.of(COMMIT + commit, LEVEL + level));
        lines.addAll(description);
        Files.write(into.resolve("level-" + level + ".txt"), lines, StandardCharsets.UTF_8);
        try (OutputStream out = Files.newOutputStream(golden.zip);
                ZipOutputStream archive = new ZipOutputStream(out)) {
            for (Map.Entry<Part, Path> part : new TreeMap<>(parts).entrySet()) {
                archive(archive, part.getKey().directory(), part.getValue());
            }
        }
        return golden;
    }

    private static void archive(ZipOutputStream archive, String part, Path root) throws IOException {
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : tree.sorted().toList()) {
                boolean directory = Files.isDirectory(path);
                String name = part + "/" + root.relativize(path);
                ZipEntry entry = new ZipEntry(directory && !name.endsWith("/") ? name + "/" : name);
                entry.setTime(0);
                archive.putNextEntry(entry);
                if (!directory) {
                    Files.copy(path, archive);
                }
                archive.closeEntry();
            }
        }
    }

    /** Lays one tree out below {@code directory}. */
    void unpack(Part part, Path directory) throws IOException {
        String prefix = part.directory() + "/";
        try (InputStream in = Files.newInputStream(zip);
                ZipInputStream archive = new ZipInputStream(in)) {
            for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                if (!entry.getName().startsWith(prefix)) {
                    continue;
                }
                Path path = directory
                        .resolve(entry.getName().substring(prefix.length()))
                        .normalize();
                if (!path.startsWith(directory)) {
                    throw new IOException("entry outside of the archive: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else {
                    Files.copy(archive, path);
                }
            }
        }
    }

    @Override
    public String toString() {
        return "level " + level + " of " + commit;
    }
}
