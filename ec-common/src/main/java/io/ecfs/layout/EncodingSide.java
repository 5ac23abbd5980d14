package io.ecfs.layout;

import java.util.Locale;
import java.util.Optional;

/**
 * Setting of who encodes the stripes of new files, and distributes their cells (Kim et al., section 3: client-side and
 * master-side encoding). The chunks are the same. The side that did encode is a {@link WriteSide}.
 */
public enum EncodingSide {
    /** The client: it sends n/k bytes for each byte of the user. */
    CLIENT,
    /** A datanode of the group, the master: the client sends each byte once. */
    MASTER,
    /** The side that is expected to be faster, group by group. */
    AUTO;

    /** As users write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The side that is set; empty where each group is decided by itself. */
    public Optional<WriteSide> fixed() {
        return switch (this) {
            case CLIENT -> Optional.of(WriteSide.CLIENT);
            case MASTER -> Optional.of(WriteSide.MASTER);
            case AUTO -> Optional.empty();
        };
    }

    /** The side with this text; empty for none. */
    public static Optional<EncodingSide> of(String text) {
        for (EncodingSide side : values()) {
            if (side.text().equals(text)) {
                return Optional.of(side);
            }
        }
        return Optional.empty();
    }
}
