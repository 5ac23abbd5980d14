package io.ecfs.console.command.option;

import io.ecfs.console.forecast.NetworkSpeed;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the speed of a network, {@code 100g}, as gigabits per second. */
public final class NetworkOption implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        try {
            return NetworkSpeed.gigabits(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
