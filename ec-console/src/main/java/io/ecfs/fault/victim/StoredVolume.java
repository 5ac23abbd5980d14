package io.ecfs.fault.victim;

import java.util.Objects;

/**
 * A volume of the experiment's cluster.
 *
 * @param number among its datanode's, from 0
 * @param rack of its datanode, as {@code /rack1}
 */
public record StoredVolume(String datanode, int number, String rack) implements Comparable<StoredVolume> {
    public StoredVolume {
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(rack, "rack");
    }

    /** {@code dn3/0}. */
    public String name() {
        return datanode + "/" + number;
    }

    @Override
    public int compareTo(StoredVolume other) {
        int byDatanode = natural(datanode, other.datanode);
        return byDatanode != 0 ? byDatanode : Integer.compare(number, other.number);
    }

    /** dn2 before dn10. */
    static int natural(String one, String other) {
        int byLength = Integer.compare(one.length(), other.length());
        return byLength != 0 ? byLength : one.compareTo(other);
    }
}
