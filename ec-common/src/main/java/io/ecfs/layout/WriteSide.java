package io.ecfs.layout;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The machine that encodes the stripes of one write. What files are set to is {@link EncodingSide}. */
public enum WriteSide {
    /** The client encodes and sends a cell to each of the n datanodes of a group. */
    CLIENT,
    /** One datanode, the master, gets the data, encodes, keeps one cell and sends the others to n - 1 slaves. */
    MASTER;

    /** As users write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The side with this text; empty for none. */
    public static Optional<WriteSide> of(String text) {
        return Arrays.stream(values()).filter(side -> side.text().equals(text)).findFirst();
    }

    /** What files are set to for this side alone to encode them. */
    public EncodingSide setting() {
        return this == MASTER ? EncodingSide.MASTER : EncodingSide.CLIENT;
    }
}
