package io.ecfs.console.view;

import io.ecfs.client.ClusterAdmin;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.report.Conversion;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A conversion of files to another policy, for operators and scripts.
 *
 * @param waiting why nothing is rewritten at the moment; null when it is not held back
 * @param firstFailure a path and why it was not converted; null for none
 * @param secondsLeft at the pace until now; null where that says nothing
 * @param begunAt when it was asked for, in ISO 8601, as {@code endedAt}; null: it has not ended
 */
public record ConversionView(
        long job,
        String path,
        String policy,
        String user,
        boolean dryRun,
        String state,
        long files,
        long converted,
        long failed,
        long bytesToRead,
        long bytesToWrite,
        long bytesDone,
        String waiting,
        String firstFailure,
        Long secondsLeft,
        String begunAt,
        String endedAt) {
    public static ConversionView of(Conversion conversion) {
        return new ConversionView(
                conversion.job(),
                conversion.path().text(),
                conversion.policy().name(),
                conversion.user(),
                conversion.dryRun(),
                conversion.state().name(),
                conversion.progress().files(),
                conversion.progress().converted(),
                conversion.progress().failed(),
                conversion.progress().bytes(),
                conversion.progress().bytesToWrite(),
                conversion.progress().bytesDone(),
                conversion.waiting().orElse(null),
                conversion.firstFailure().orElse(null),
                conversion
                        .leftMillis()
                        .map(left -> Duration.ofMillis(left).toSeconds())
                        .orElse(null),
                Times.iso(conversion.begunMillis()),
                conversion.endedMillis().map(Times::iso).orElse(null));
    }

    /** All conversions under way, and those that ended last. */
    public static List<ConversionView> all(ClusterAdmin admin) throws IOException {
        return Await.result(admin.conversions()).stream()
                .map(ConversionView::of)
                .toList();
    }

    /**
     * One conversion as it is now.
     *
     * @throws EcfsException {@code NOT_FOUND} when it is another user's, or ended long ago
     */
    public static ConversionView find(ClusterAdmin admin, long job) throws IOException {
        return all(admin).stream()
                .filter(conversion -> conversion.job() == job)
                .findFirst()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.NOT_FOUND,
                        "there is no conversion " + job + " of yours: 'ecfs ec conversions' lists them"));
    }

    public boolean counting() {
        return state.equals(Conversion.State.COUNTING.name());
    }

    public boolean paused() {
        return state.equals(Conversion.State.PAUSED.name());
    }

    public boolean cancelled() {
        return state.equals(Conversion.State.CANCELLED.name());
    }

    public boolean ended() {
        return Conversion.State.valueOf(state).ended();
    }

    /** In one line. */
    public String line() {
        String done = converted + " of " + files + " files, " + TextTable.bytes(bytesDone) + " of "
                + TextTable.bytes(bytesToRead);
        return done
                + (paused() ? ", paused" : cancelled() ? ", cancelled" : "")
                + (failed > 0 ? ", " + failed + " failed" : "")
                + (secondsLeft != null ? ", about " + secondsLeft + " s left" : "")
                + (waiting != null ? ", waits: " + waiting : "");
    }

    /** Its cost, in one line. */
    public String plan() {
        return files + " files to " + policy + ": reads " + TextTable.bytes(bytesToRead) + ", writes "
                + TextTable.bytes(bytesToWrite);
    }
}
