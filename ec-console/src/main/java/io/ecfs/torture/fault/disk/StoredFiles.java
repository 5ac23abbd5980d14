package io.ecfs.torture.fault.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Files of a datanode's published chunks, behind its back. They may be deleted at any time. */
final class StoredFiles {
    private StoredFiles() {}

    /** One of these files of a volume that is a published chunk's and ends so. */
    static Optional<String> any(List<String> files, String ending, SplittableRandom random) {
        List<String> all = files.stream()
                .filter(file -> file.startsWith("finalised/") && file.endsWith(ending))
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    /** One of those whose names end so; empty when there is none. */
    static Optional<Path> any(Path datanode, String ending, SplittableRandom random) throws IOException {
        try (Stream<Path> files = Files.find(
                datanode,
                Integer.MAX_VALUE,
                (file, attributes) -> attributes.isRegularFile()
                        && attributes.size() > 0
                        && file.toString().endsWith(ending)
                        && file.toString().contains("/finalised/"))) {
            List<Path> all = files.sorted().toList();
            return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return Optional.empty(); // deleted meanwhile
            }
            throw e;
        }
    }
}
