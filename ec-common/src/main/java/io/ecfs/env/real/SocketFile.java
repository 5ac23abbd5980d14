package io.ecfs.env.real;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The path of a Unix socket that all users of the machine may connect to. No other user may replace it, so that a
 * client reaches the process that published the path (HDFS checks the same, DomainSocket.validateSocketPathSecurity0).
 */
public final class SocketFile {
    private static final int OTHERS_WRITE = 0002;
    private static final int GROUP_WRITE = 0020;
    private static final int STICKY = 01000;

    private SocketFile() {}

    /**
     * Prepares the path of a socket: creates its directory and frees the name.
     *
     * @param socket absolute
     * @throws EcfsException {@code INVALID_ARGUMENT} when something else has the name, {@code ACCESS_DENIED} with the
     *     command that corrects it when other users could replace the socket
     */
    public static void makeRoom(Path socket) throws IOException {
        Path directory = socket.getParent();
        if (!socket.isAbsolute() || directory == null) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "the path of a Unix socket is absolute, got " + socket);
        }
        if (Files.notExists(directory)) {
            Files.createDirectories(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Path real = directory.toRealPath();
        for (Path at = real; at != null; at = at.getParent()) {
            int mode = (Integer) Files.getAttribute(at, "unix:mode");
            boolean shared = (mode & STICKY) != 0 && !at.equals(real);
            if ((mode & (OTHERS_WRITE | GROUP_WRITE)) != 0 && !shared) {
                throw new EcfsException(
                        ErrorCode.ACCESS_DENIED,
                        "other users could replace the socket " + socket + ", since they may write to " + at
                                + ": run 'chmod go-w " + at + "', or choose another directory");
            }
        }
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther()) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT, socket + " is no socket: choose another path, or remove it");
            }
            Files.delete(socket);
        }
    }

    /** Lets every user connect. */
    public static void openToAll(Path socket) throws IOException {
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    /** Removes the socket, if it exists. */
    public static void remove(Path socket) throws IOException {
        Files.deleteIfExists(socket);
    }
}
