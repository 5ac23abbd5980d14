package io.ecfs.console.view;

import io.ecfs.config.Nearest;
import io.ecfs.layout.EncodingSide;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The side that an operator chooses for a directory.
 *
 * @param side empty: that of the directory above again
 */
public record EncodingChoice(Optional<EncodingSide> side) {
    private static final String INHERIT = "inherit";

    private static final List<String> TEXTS = Stream.concat(
                    Arrays.stream(EncodingSide.values()).map(EncodingSide::text), Stream.of(INHERIT))
            .toList();

    /**
     * Reads the text of a side, or {@code inherit}.
     *
     * @throws IllegalArgumentException for another text, with the nearest one that there is
     */
    public static EncodingChoice parse(String text) {
        Optional<EncodingSide> side = EncodingSide.of(text);
        if (side.isEmpty() && !text.equals(INHERIT)) {
            throw new IllegalArgumentException("no encoding side '" + text + "': did you mean "
                    + Nearest.to(text, TEXTS) + "? There are " + String.join(", ", TEXTS));
        }
        return new EncodingChoice(side);
    }
}
