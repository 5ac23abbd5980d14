package io.ecfs.console.view;

import io.ecfs.config.Sizes;
import java.util.Optional;

/**
 * The limit of packing that an operator chooses for a directory.
 *
 * @param upTo length in bytes up to which files share groups, 0: none does; empty: that of the directory above again
 */
public record PackingChoice(Optional<Long> upTo) {
    private static final String OFF = "off";
    private static final String DEFAULT = "default";

    /**
     * Reads a number of bytes, {@code off} or {@code default}.
     *
     * @throws IllegalArgumentException for another text
     */
    public static PackingChoice parse(String text) {
        return switch (text) {
            case DEFAULT -> new PackingChoice(Optional.empty());
            case OFF -> new PackingChoice(Optional.of(0L));
            default -> new PackingChoice(Optional.of(size(text)));
        };
    }

    private static long size(String text) {
        try {
            return Sizes.bytes(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--pack takes a size such as 256k, '" + OFF + "' or '" + DEFAULT + "', got '" + text + "'", e);
        }
    }

    /** In the words of {@link #parse}. */
    public static String text(long limit) {
        return limit == 0 ? OFF : Long.toString(limit);
    }
}
