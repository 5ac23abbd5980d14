package io.ecfs.fault.inject;

import io.ecfs.datanode.store.disk.MountPoint;
import io.ecfs.fault.victim.StoredVolume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Volumes on file systems in memory. Needs root. */
final class TmpfsDisks implements LabDisks {
    private final long bytesOfOne;
    private final List<Path> mounted = Collections.synchronizedList(new ArrayList<>());

    TmpfsDisks(long bytesOfOne) {
        this.bytesOfOne = bytesOfOne;
    }

    @Override
    public void make(StoredVolume volume, Path directory) throws IOException {
        Files.createDirectories(directory);
        mounted.add(directory); // before it is: an interrupt may come in between
        SystemCommand.run("mount", "-t", "tmpfs", "-o", "mode=700,size=" + bytesOfOne, "tmpfs", directory.toString());
    }

    @Override
    public Optional<Undo> fill(Path directory) throws IOException {
        return Optional.of(Ballast.in(directory));
    }

    @Override
    public Undo makeReadOnly(Path directory) throws IOException {
        return Mounts.makeReadOnly(directory);
    }

    @Override
    public void close() {
        while (!mounted.isEmpty()) {
            Path directory = mounted.remove(mounted.size() - 1);
            try {
                if (MountPoint.at(directory)) {
                    Mounts.unmount(directory);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot unmount " + directory + "; unmount it by hand", e);
            }
        }
    }
}
