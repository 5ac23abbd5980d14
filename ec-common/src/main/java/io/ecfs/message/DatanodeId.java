package io.ecfs.message;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/** The name an operator gave a datanode, such as {@code dn3}. It is bound to that datanode's directory for good. */
public record DatanodeId(@JsonValue String name) implements Comparable<DatanodeId> {
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    @JsonCreator
    public DatanodeId {
        if (!isValid(name)) {
            throw new IllegalArgumentException(
                    "datanode id must be 1 to 64 letters, digits, '.', '_' or '-', got '" + name + "'");
        }
    }

    public static boolean isValid(String name) {
        return VALID.matcher(name).matches();
    }

    @Override
    public int compareTo(DatanodeId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
