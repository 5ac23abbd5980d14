package io.ecfs.console.command.option;

import io.ecfs.config.Sizes;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 20us}, {@code 5s}, {@code 2m}. */
public final class TimeSpan implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        try {
            return Sizes.duration(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
