package io.ecfs.console.command.bench;

import io.ecfs.bench.load.FileSizes;
import io.ecfs.config.Sizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 100k}, {@code 4k-256k}. */
final class FileSizesOption implements ITypeConverter<FileSizes> {
    @Override
    public FileSizes convert(String text) {
        int dash = text.indexOf('-', 1);
        try {
            return dash < 0
                    ? new FileSizes(bytes(text), bytes(text))
                    : new FileSizes(bytes(text.substring(0, dash)), bytes(text.substring(dash + 1)));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static int bytes(String text) {
        return (int) Math.min(Integer.MAX_VALUE, Sizes.bytes(text));
    }
}
