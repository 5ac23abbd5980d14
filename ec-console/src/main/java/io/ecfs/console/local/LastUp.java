package io.ecfs.console.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster that was last started from the current directory: {@code .ecfs/last-up} has the path of its directory.
 * The default directory of {@code ecfs up} is {@code .ecfs} itself.
 */
public final class LastUp {
    public static final Path DEFAULT_DIRECTORY = Path.of(".ecfs");

    private static final Logger LOG = LoggerFactory.getLogger(LastUp.class);
    private static final Path POINTER = DEFAULT_DIRECTORY.resolve("last-up");

    private LastUp() {}

    /** From now on this is the cluster that commands in the current directory mean. */
    public static void remember(Path directory) {
        try {
            Files.createDirectories(DEFAULT_DIRECTORY);
            Files.writeString(POINTER, directory.toAbsolutePath().normalize() + "\n");
        } catch (IOException e) {
            LOG.warn(
                    "event=last_up_not_remembered file={} reason={} do=name_the_connectionwith_--cluster",
                    POINTER,
                    e.toString());
        }
    }

    /** The directory of the last {@code up} here; the default one when there is no memory of any. */
    public static Path directory() throws IOException {
        return Files.exists(POINTER) ? Path.of(Files.readString(POINTER).strip()) : DEFAULT_DIRECTORY;
    }

    /** URI of the cluster last started here; empty when none was, or it was stopped. */
    public static Optional<String> uri() throws IOException {
        return ClusterFile.read(directory()).map(ClusterFile::uri);
    }
}
