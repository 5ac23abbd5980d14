package io.ecfs.message.namespace;

import java.util.Arrays;
import java.util.Objects;

/**
 * An extended attribute.
 *
 * @param name with its namespace: {@code user.colour}, {@code trusted.} …
 */
public record XAttr(String name, byte[] value) {
    public XAttr {
        Objects.requireNonNull(name, "name");
        value = value.clone();
    }

    @Override
    public byte[] value() {
        return value.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XAttr same && name.equals(same.name) && Arrays.equals(value, same.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, Arrays.hashCode(value));
    }

    @Override
    public String toString() {
        return name + " of " + value.length + " bytes";
    }
}
