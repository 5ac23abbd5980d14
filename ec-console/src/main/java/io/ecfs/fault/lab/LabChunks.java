package io.ecfs.fault.lab;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/** Files with the bytes of finalised chunks in a volume's directory; docs/formats.md has their names. */
final class LabChunks {
    private static final String DATA = ".data";

    private LabChunks() {}

    static boolean exists(Path volume, ChunkId chunk) {
        return Files.exists(fan(volume, chunk.group())
                .resolve(beginning(chunk.group(), chunk.index()) + chunk.generation() + DATA));
    }

    /** Of the generations of a chunk the last one: garbage of earlier ones may lie beside it. */
    static Optional<Path> newest(Path volume, GroupId group, int index) throws IOException {
        Path fan = fan(volume, group);
        if (Files.notExists(fan)) {
            return Optional.empty();
        }
        String beginning = beginning(group, index);
        try (Stream<Path> files = Files.list(fan)) {
            return files.filter(file -> file.getFileName().toString().startsWith(beginning)
                            && file.getFileName().toString().endsWith(DATA))
                    .max(Comparator.comparingInt(file -> generation(file, beginning)));
        }
    }

    private static int generation(Path data, String beginning) {
        String name = data.getFileName().toString();
        return Integer.parseInt(name, beginning.length(), name.length() - DATA.length(), 10);
    }

    private static Path fan(Path volume, GroupId group) {
        return volume.resolve("finalised").resolve(HexFormat.of().toHexDigits((byte) group.value()));
    }

    private static String beginning(GroupId group, int index) {
        return group.value() + "." + index + ".";
    }
}
