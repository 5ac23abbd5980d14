package io.ecfs.advise;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What bounds a recovery. */
public enum Bottleneck {
    /** The disks that sources are read from. */
    DISK,
    /** The links of the datanodes. */
    NET,
    /** The processors of the datanodes. */
    CPU,
    /** The number of repairs under way at a time: {@code settings.recovery.atOnce} and {@code perDatanode}. */
    SLOTS,
    /** The disks that rebuilt chunks are written to and read back from. */
    TARGET;

    /** As people and scripts read it. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
