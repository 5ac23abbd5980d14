package io.ecfs.datanode.store;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Paths of a chunk's files: {@code <place>/<fan>/<group>.<index>.<generation>.data} and {@code .sum}, and
 * {@code .tail}, with the low byte of the group number in hexadecimal as fan.
 */
record ChunkFiles(Place place, ChunkId chunk) {
    private static final Pattern NAME = Pattern.compile(
            "(?<group>\\d{1,19})\\.(?<index>\\d{1,3})\\.(?<generation>\\d{1,10})\\.(?<kind>data|sum|tail)");

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

    /** Kind of a chunk's file. */
    enum Kind {
        DATA,
        SUM,
        /** Its tail log, in {@link Place#WRITING} only. */
        TAIL
    }

    /** Content of a file name. */
    record Name(ChunkId chunk, Kind kind) {}

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

    /** The tail log; wherever the chunk is, that is beside the chunks being written. */
    String tail() {
        return in(Place.WRITING).stem() + ".tail";
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
            ChunkFiles files = new ChunkFiles(Place.WRITING, chunk);
            Kind kind = Kind.valueOf(matcher.group("kind").toUpperCase(Locale.ROOT));
            String canonical = switch (kind) {
                case DATA -> files.data();
                case SUM -> files.sum();
                case TAIL -> files.tail();
            };
            return canonical.endsWith("/" + fileName) ? Optional.of(new Name(chunk, kind)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private String stem() {
        return directory() + "/" + chunk.group().value() + "." + chunk.index() + "." + chunk.generation();
    }
}
