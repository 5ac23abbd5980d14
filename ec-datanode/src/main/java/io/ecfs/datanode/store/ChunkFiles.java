package io.ecfs.datanode.store;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a chunk's two files are: {@code <place>/<fan>/<group>.<index>.<generation>.data} and {@code .sum}, with the low byte of
 * the group number in hexadecimal as fan.
 */
record ChunkFiles(Place place, ChunkId chunk) {
    private static final Pattern NAME =
            Pattern.compile("(?<group>\\d{1,19})\\.(?<index>\\d{1,3})\\.(?<generation>\\d{1,10})\\.(?<kind>data|sum)");

    /** The directory tells roughly, the header exactly, how far a chunk is. */
    enum Place {
        WRITING("writing"),
        FINALISED("finalised");

        private final String directory;

        Place(String directory) {
            this.directory = directory;
        }

        String directory() {
            return directory;
        }
    }

    /** What a file name says. */
    record Name(ChunkId chunk, boolean data) {}

    String directory() {
        return place.directory + "/"
                + HexFormat.of().toHexDigits((byte) chunk.group().value());
    }

    String data() {
        return stem() + ".data";
    }

    String sum() {
        return stem() + ".sum";
    }

    ChunkFiles in(Place other) {
        return new ChunkFiles(other, chunk);
    }

    /** Empty for a file that is none of ours. */
    static Optional<Name> parse(String fileName) {
        Matcher matcher = NAME.matcher(fileName);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            ChunkId chunk = new ChunkId(
                    new GroupId(Long.parseLong(matcher.group("group"))),
                    Integer.parseInt(matcher.group("index")),
                    Integer.parseInt(matcher.group("generation")));
            boolean data = matcher.group("kind").equals("data");
            ChunkFiles files = new ChunkFiles(Place.WRITING, chunk);
            boolean canonical = (data ? files.data() : files.sum()).endsWith("/" + fileName);
            return canonical ? Optional.of(new Name(chunk, data)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private String stem() {
        return directory() + "/" + chunk.group().value() + "." + chunk.index() + "." + chunk.generation();
    }
}
