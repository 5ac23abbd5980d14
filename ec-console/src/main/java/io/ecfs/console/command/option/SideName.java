package io.ecfs.console.command.option;

import io.ecfs.config.Nearest;
import io.ecfs.layout.WriteSide;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the side that encodes, {@code client} or {@code master}. */
public final class SideName implements ITypeConverter<WriteSide> {
    @Override
    public WriteSide convert(String word) {
        return WriteSide.of(word.toLowerCase(Locale.ROOT))
                .orElseThrow(() -> new TypeConversionException("the side that encodes is client or master, got '" + word
                        + "'; nearest is "
                        + Nearest.to(
                                word,
                                Arrays.stream(WriteSide.values())
                                        .map(WriteSide::text)
                                        .toList())));
    }
}
