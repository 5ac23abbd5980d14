package io.ecfs.fault.profile;

import java.util.Locale;

/** What one victim is. */
public enum Level {
    VOLUME,
    DATANODE,
    /** All datanodes of a rack, within 50 ms. */
    RACK,
    /** A namenode that does not lead. */
    NAMENODE,
    /** The namenode that leads. */
    LEADER;

    /** Whether its failure takes chunks with it. */
    public boolean storesChunks() {
        return this == VOLUME || this == DATANODE || this == RACK;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
