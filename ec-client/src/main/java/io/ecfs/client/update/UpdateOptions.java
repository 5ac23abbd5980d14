package io.ecfs.client.update;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.Optional;

/**
 * Options of a file that is opened for update.
 *
 * @param synced whether a write is acknowledged only when it is on the datanodes' disks; otherwise when the failure of
 *     any m datanodes leaves it readable (HDFS: hsync, hflush), and it is on disk within seconds
 * @param spare dead bytes that are tolerated, as a share of the live ones: the more, the less is copied to get their
 *     space back; above 0
 * @param create whether a file that is not there is made
 */
public record UpdateOptions(boolean synced, double spare, boolean create) {
    public static final double DEFAULT_SPARE = 0.5;
    private static final double MOST_SPARE = 100;

    /** Acknowledged without a sync, half as much dead as live, of a file that is there. */
    public static UpdateOptions defaults() {
        return new UpdateOptions(false, DEFAULT_SPARE, false);
    }

    public UpdateOptions synced(boolean on) {
        return new UpdateOptions(on, spare, create);
    }

    public UpdateOptions spare(double share) {
        return new UpdateOptions(synced, share, create);
    }

    public UpdateOptions create(boolean on) {
        return new UpdateOptions(synced, spare, on);
    }

    /** Why a file cannot be opened so, if it cannot. */
    public Optional<EcfsException> refusal() {
        return spare > 0 && spare <= MOST_SPARE
                ? Optional.empty()
                : Optional.of(new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "spare must be above 0 and at most " + MOST_SPARE + ", got " + spare + "; " + DEFAULT_SPARE
                                + " is the default"));
    }
}
