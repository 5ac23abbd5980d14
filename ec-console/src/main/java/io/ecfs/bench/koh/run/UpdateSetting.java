package io.ecfs.bench.koh.run;

import io.ecfs.client.update.UpdateOptions;

/**
 * How the files of a run are written, validated by the constructor.
 *
 * @param synced a write is acknowledged when it is on disk
 * @param spare dead bytes that are tolerated, as a share of the live ones
 * @param age how many times its size a file that is overwritten was overwritten at random before the measurement: from
 *     about 2 on, cleaning costs what it costs for good
 */
public record UpdateSetting(boolean synced, double spare, double age) {
    /** From here on no space is reclaimed: this many times the file can be dead. */
    public static final double UNCOMPACTED = 100;

    private static final double MOST_AGE = 100;
    private static final double BEING_DELETED = 1;

    public UpdateSetting {
        UpdateOptions.defaults().spare(spare).refusal().ifPresent(refusal -> {
            throw new IllegalArgumentException("--" + refusal.getMessage());
        });
        if (!(age >= 0 && age <= MOST_AGE)) {
            throw new IllegalArgumentException("--age must be from 0 to " + MOST_AGE + ", got " + age);
        }
    }

    UpdateOptions options() {
        return UpdateOptions.defaults().synced(synced).spare(spare);
    }

    /** Returns whether dead bytes are reclaimed. */
    boolean compacts() {
        return spare < UNCOMPACTED;
    }

    /**
     * Of its size, what of a file is dead and not deleted, at most.
     *
     * @param passes how often a stage overwrites it
     */
    double dead(double passes) {
        double written = age + passes;
        return compacts() ? Math.min(written, spare + BEING_DELETED) : written;
    }

    /** For people. */
    public String text() {
        return (synced ? "on disk when they are acknowledged" : "flushed, not synced") + ", spare " + spare
                + (age > 0 ? ", files overwritten " + age + " times before" : "");
    }
}
