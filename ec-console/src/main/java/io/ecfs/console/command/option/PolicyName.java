package io.ecfs.console.command.option;

import io.ecfs.layout.Policy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a policy, so that a bad one is wrong usage with the nearest valid name. */
public final class PolicyName implements ITypeConverter<Policy> {
    @Override
    public Policy convert(String name) {
        try {
            return Policy.parse(name);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
