package io.ecfs.env.real;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories and files that only their owner may access: modes 0700 and 0600, where the file system has modes. Other
 * users cannot reach anything in such a directory, regardless of its own mode, so only the top directory is checked.
 */
public final class PrivateFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final String READ_ONLY = "Read-only file system";

    private PrivateFiles() {}

    /** Attributes to create a file at this path with. */
    public static FileAttribute<?>[] fileMode(Path path) {
        return mode(path, "rw-------");
    }

    /** Attributes to create a directory at this path with. */
    public static FileAttribute<?>[] directoryMode(Path path) {
        return mode(path, "rwx------");
    }

    /**
     * Creates the directory as private, and its missing parents with the default mode; an existing one stays as it is.
     */
    public static void createDirectory(Path directory) throws IOException {
        Path above = directory.toAbsolutePath().getParent();
        if (above != null && !Files.isDirectory(above)) {
            Files.createDirectories(above);
        }
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, directoryMode(directory));
        }
    }

    /**
     * Takes away the rights of other users to a directory that they could only read, as earlier releases made them;
     * refuses one that they could have written to.
     *
     * @throws EcfsException {@code ACCESS_DENIED} with the command that corrects it when others could have written to
     *     it, or its mode cannot be changed
     */
    public static void denyOthers(Path directory) throws IOException {
        if (!hasModes(directory)) {
            return;
        }
        PosixFileAttributes found = Files.readAttributes(directory, PosixFileAttributes.class);
        if (OWNER.containsAll(found.permissions())) {
            return;
        }
        String mode = PosixFilePermissions.toString(found.permissions());
        String mend = "'chmod 700 " + directory + "'";
        if (found.permissions().stream().anyMatch(OTHERS_WRITE::contains)) {
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED,
                    directory + " may be written by other users of this machine (" + mode + ", owner "
                            + found.owner().getName() + "): check it for files of others, then run " + mend);
        }
        try {
            Files.setPosixFilePermissions(directory, OWNER);
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains(READ_ONLY)) {
                LOG.warn(
                        "event=directory_open_to_others path={} mode={} reason=\"read-only file system\"",
                        directory,
                        mode);
                return;
            }
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED,
                    directory + " may be read by other users of this machine (" + mode + ", owner "
                            + found.owner().getName() + ") and cannot be closed to them: run " + mend + " as its owner",
                    e);
        }
        LOG.warn("event=directory_closed path={} mode_was={} mode=rwx------", directory, mode);
    }

    private static FileAttribute<?>[] mode(Path path, String mode) {
        return hasModes(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    private static boolean hasModes(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
