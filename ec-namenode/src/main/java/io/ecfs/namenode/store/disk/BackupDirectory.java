package io.ecfs.namenode.store.disk;

import io.ecfs.env.real.DirectoryTree;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.store.disk.BackupManifest.StateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A backup of the namenodes' state: a directory with the state's files under {@code state/} and their
 * {@link BackupManifest} in {@code BACKUP}. It is written under another name beside its place and moved there in one
 * step when all of it is on disk, so that what has the name is complete. Owned by one thread.
 */
public final class BackupDirectory {
    private static final String MANIFEST = "BACKUP";
    private static final String STATE = "state";
    private static final String CHECK = "check";
    private static final String UNFINISHED = ".unfinished";
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path place;
    private final Path unfinished;

    private BackupDirectory(Path place, Path unfinished) {
        this.place = place;
        this.unfinished = unfinished;
    }

    /**
     * Begins to write a backup.
     *
     * @param place that is not there yet, or an empty directory
     * @throws EcfsException {@code ALREADY_EXISTS}, {@code NOT_FOUND} when the directory above is not there; nothing
     *     was changed then
     */
    public static BackupDirectory begin(Path place) throws IOException {
        Path absolute = place.toAbsolutePath().normalize();
        if (!isFree(absolute)) {
            throw new EcfsException(
                    ErrorCode.ALREADY_EXISTS,
                    place + " is there and not an empty directory: nothing was changed; name a new one");
        }
        Path unfinished = absolute.resolveSibling(absolute.getFileName() + UNFINISHED);
        try {
            Files.createDirectory(
                    unfinished, PrivateFiles.directoryMode(absolute)); // the state has the keys of block tokens
        } catch (FileAlreadyExistsException e) {
            throw new EcfsException(
                    ErrorCode.ALREADY_EXISTS,
                    unfinished
                            + " is there: another backup is being written to it, or one broke off; remove it, or name"
                            + " another directory",
                    e);
        } catch (NoSuchFileException e) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    absolute.getParent() + " is not there: create it, or mount what belongs there",
                    e);
        }
        return new BackupDirectory(absolute, unfinished);
    }

    /** Directory for the files of the state. */
    public Path state() {
        return unfinished.resolve(STATE);
    }

    /** Room to try out what was put there; not part of the backup. */
    public Path check() {
        return unfinished.resolve(CHECK);
    }

    /** All of the state is there: sums its files up, and gives the backup its name. */
    public BackupManifest finish(BackupManifest withoutFiles) throws IOException {
        DirectoryTree.delete(check());
        List<StateFile> files = new ArrayList<>();
        for (Path file : DirectoryTree.files(state())) {
            files.add(new StateFile(state().relativize(file).toString(), Files.size(file), sha256(file)));
        }
        BackupManifest manifest = withoutFiles.with(files);
        try (FileChannel file = FileChannel.open(
                unfinished.resolve(MANIFEST), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(manifest.text().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
        DirectoryTree.sync(state());
        DirectoryTree.sync(unfinished);
        Files.move(unfinished, place, StandardCopyOption.ATOMIC_MOVE);
        DirectoryTree.sync(place.getParent());
        return manifest;
    }

    /** Removes what was written; nothing to do for a finished one. */
    public void abandon() throws IOException {
        DirectoryTree.delete(unfinished);
    }

    /**
     * @throws EcfsException {@code NOT_FOUND} for a directory without a backup, {@code MALFORMED},
     *     {@code INCOMPATIBLE_VERSION}
     */
    public static BackupManifest read(Path place) throws IOException {
        String text;
        try {
            text = Files.readString(place.resolve(MANIFEST), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    place + " holds no backup, it has no file " + MANIFEST
                            + ": name a directory that 'ecfs namenode backup' wrote",
                    e);
        }
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return BackupManifest.parse(place.resolve(MANIFEST).toString(), new String(bytes, StandardCharsets.UTF_8));
    }

    /** @throws EcfsException {@code MALFORMED} when the files of the state are not those that the backup was made of */
    public static void verify(Path place, BackupManifest manifest) throws IOException {
        Path state = place.resolve(STATE);
        Set<String> unknown = new TreeSet<>();
        if (Files.isDirectory(state)) {
            DirectoryTree.files(state)
                    .forEach(file -> unknown.add(state.relativize(file).toString()));
        }
        for (StateFile file : manifest.files()) {
            Path path = inside(state, file.name());
            if (!unknown.remove(file.name())) {
                throw damaged(path + " is missing");
            } else if (Files.size(path) != file.bytes()) {
                throw damaged(path + " has " + Files.size(path) + " bytes, it had " + file.bytes());
            } else if (!sha256(path).equals(file.sha256())) {
                throw damaged(path + " has other bytes than when the backup was taken");
            }
        }
        if (!unknown.isEmpty()) {
            throw damaged(state.resolve(unknown.iterator().next()) + " is no part of it");
        }
    }

    /** Copies the files of the state into a new directory, on disk when it returns. */
    public static void copyState(Path place, BackupManifest manifest, Path target) throws IOException {
        Files.createDirectory(target);
        for (StateFile file : manifest.files()) {
            Path copy = inside(target, file.name());
            Files.copy(inside(place.resolve(STATE), file.name()), copy);
            try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
        DirectoryTree.sync(target);
    }

    private static boolean isFree(Path place) throws IOException {
        if (Files.notExists(place)) {
            return true;
        }
        if (!Files.isDirectory(place)) {
            return false;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(place)) {
            return !found.iterator().hasNext();
        }
    }

    /** The store has no directories below its own. */
    private static Path inside(Path state, String name) throws EcfsException {
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0 || name.startsWith("..")) {
            throw damaged("it names a file '" + name + "'");
        }
        return state.resolve(name);
    }

    private static EcfsException damaged(String what) {
        return new EcfsException(
                ErrorCode.MALFORMED,
                "the backup is damaged: " + what + "; nothing was changed; restore another backup");
    }

    private static String sha256(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(buffer.clear()) >= 0) {
                digest.update(buffer.flip());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
