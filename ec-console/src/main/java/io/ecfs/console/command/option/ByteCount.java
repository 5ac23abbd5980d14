package io.ecfs.console.command.option;

import io.ecfs.config.Sizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 64k}, {@code 2g}, {@code 4096}. */
public final class ByteCount implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return Sizes.bytes(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
