package io.ecfs.console.command.option;

import io.ecfs.client.name.ClusterName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a cluster, so that a bad one is wrong usage with what a name is made of. */
public final class NameOfCluster implements ITypeConverter<ClusterName> {
    @Override
    public ClusterName convert(String name) {
        try {
            return ClusterName.of(name);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
