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
        Long secondsLeft) {
    public static ConversionView of(Conversion conversion) {
        return new ConversionView(
                conversion.job(),
                conversion.path().text(),
                conversion.policy().name(),
                conversion.user(),
                conversion.dryRun(),
                conversion.state().name(),
                conversion.files(),
                conversion.converted(),
                conversion.failed(),
                conversion.bytes(),
                conversion.bytesToWrite(),
                conversion.bytesDone(),
                conversion.waiting().orElse(null),
                conversion.firstFailure().orElse(null),
                conversion
                        .leftMillis()
                        .map(left -> Duration.ofMillis(left).toSeconds())
                        .orElse(null));
    }

    /** All conversions that the leader has. */
    public static List<ConversionView> all(ClusterAdmin admin) throws IOException {
        return Await.result(admin.conversions()).stream()
                .map(ConversionView::of)
                .toList();
    }

    /**
     * One conversion as it is now.
     *
     * @throws EcfsException {@code NOT_FOUND} when the leader does not have it: another one leads by now
     */
    public static ConversionView find(ClusterAdmin admin, long job) throws IOException {
        return all(admin).stream()
                .filter(conversion -> conversion.job() == job)
                .findFirst()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.NOT_FOUND,
                        "the leader has no conversion " + job
                                + ": another namenode leads by now; ask for it again, what"
                                + " is converted stays so"));
    }

    public boolean counting() {
        return state.equals(Conversion.State.COUNTING.name());
    }

    public boolean ended() {
        return Conversion.State.valueOf(state).ended();
    }

    /** In one line. */
    public String line() {
        String done = converted + " of " + files + " files, " + TextTable.bytes(bytesDone) + " of "
                + TextTable.bytes(bytesToRead);
        return done
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
