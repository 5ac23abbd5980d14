package io.ecfs.fault.inject;

import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Volumes that are directories of the machine's own disk. */
final class DirectoryDisks implements LabDisks {
    /** Renames the directory, as a drive that is no longer mounted looks. */
    @Override
    public Optional<Undo> remove(Path directory) throws IOException {
        Path away = directory.resolveSibling(directory.getFileName() + ".removed");
        Files.move(directory, away);
        return Optional.of(() -> {
            if (Files.exists(directory)) { // made by its datanode before it found out
                DirectoryTree.delete(directory);
            }
            Files.move(away, directory);
        });
    }

    @Override
    public Undo makeReadOnly(Path directory) throws IOException {
        return ImmutableFiles.set(directory);
    }
}
