package io.ecfs.torture.fault.disk;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.Shape;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The files of two chunks of a volume change places: names, headers and checksums fit among themselves, and are another
 * chunk's.
 */
public record SwapChunks() implements Fault {
    private static final String DATA = ".data";

    @Override
    public String name() {
        return "swap-chunks";
    }

    /** Files of a directory, behind its datanode's back. */
    @Override
    public Set<Shape> shapes() {
        return Set.of(Shape.PROCESSES);
    }

    @Override
    public Victim victim() {
        return Victim.ROTTEN;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        Optional<Path> one = StoredFiles.any(site.directory(id), DATA, random);
        Optional<Path> other = StoredFiles.any(site.directory(id), DATA, random);
        if (one.isPresent() && other.isPresent() && !one.equals(other)) {
            for (String ending : List.of(DATA, ".sum")) {
                swap(withEnding(one.get(), ending), withEnding(other.get(), ending));
            }
        }
        return () -> {};
    }

    private static Path withEnding(Path data, String ending) {
        String name = data.getFileName().toString();
        return data.resolveSibling(name.substring(0, name.length() - DATA.length()) + ending);
    }

    private static void swap(Path one, Path other) throws IOException {
        Path aside = one.resolveSibling("swapped");
        try {
            Files.move(one, aside);
            Files.move(other, one);
            Files.move(aside, other, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException deletedMeanwhile) {
            Files.deleteIfExists(aside);
        }
    }
}
