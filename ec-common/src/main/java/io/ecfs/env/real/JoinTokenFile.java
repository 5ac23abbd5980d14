package io.ecfs.env.real;

import io.ecfs.env.Randomness;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.token.JoinToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A daemon's copy of its cluster's {@link JoinToken}: a file that its owner alone may read. */
public final class JoinTokenFile {
    /** Its name in a daemon's home directory, where the configuration names no other place. */
    public static final String NAME = "join.token";

    private static final Set<PosixFilePermission> OF_OTHERS = EnumSet.complementOf(EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));

    private JoinTokenFile() {}

    /**
     * Reads it; empty where there is no such file.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line when others than its owner may read or change it, or
     *     it is no join token
     */
    public static Optional<JoinToken> read(Path file) throws EcfsException {
        List<String> lines;
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (mode.stream().anyMatch(OF_OTHERS::contains)) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "the join token " + file + " is open to others than its owner (mode "
                                + PosixFilePermissions.toString(mode) + "): chmod 0600 " + file);
            }
            lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (EcfsException e) {
            throw e;
        } catch (IOException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "the join token " + file + " cannot be read: " + e.getMessage(), e);
        }
        try {
            return Optional.of(JoinToken.of(lines));
        } catch (EcfsException e) {
            throw new EcfsException(e.code(), file + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * The token of this file, which is made, on disk, where there is none.
     *
     * @param randomness good enough for keys
     */
    public static JoinToken readOrCreate(Path file, Randomness randomness) throws IOException {
        Optional<JoinToken> present = read(file);
        if (present.isPresent()) {
            return present.get();
        }
        String line = HexFormat.of().formatHex(randomness.bytes(JoinToken.BYTES));
        write(file, line + "\n");
        return JoinToken.of(List.of(line));
    }

    /** Copies a token to where there is none; one that is there stays. */
    public static void copy(Path from, Path to) throws IOException {
        try {
            write(to, Files.readString(from));
        } catch (FileAlreadyExistsException e) {
            read(to);
        }
    }

    private static void write(Path file, String text) throws IOException {
        PrivateFiles.createDirectory(file.toAbsolutePath().getParent());
        try (FileChannel channel = FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PrivateFiles.fileMode(file))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        DirectoryTree.sync(file.toAbsolutePath().getParent());
    }
}
