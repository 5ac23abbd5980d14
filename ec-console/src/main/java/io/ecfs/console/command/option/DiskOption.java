package io.ecfs.console.command.option;

import io.ecfs.console.forecast.DiskSpeed;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the speed of a disk, {@code 250MB/s}, as bytes per second. */
public final class DiskOption implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        try {
            return DiskSpeed.bytesPerSecond(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
