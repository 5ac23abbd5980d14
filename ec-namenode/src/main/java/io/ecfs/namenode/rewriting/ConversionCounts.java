package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.message.report.Conversion.Progress;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Files and bytes of a conversion: what there is to convert, and what became of it under this leader. */
final class ConversionCounts {
    /** What earlier leaders did. */
    private final Progress before;

    private final LongSupplier clockMillis;
    /** In the log. */
    private Progress recorded;

    private long files;
    private long converted;
    private long failed;
    private long bytes;
    private long bytesToWrite;
    private long bytesDone;
    private Optional<String> firstFailure = Optional.empty();
    /** When it began to rewrite, without the times of pauses. */
    private long runsSinceMillis;

    private long pausedMillis;

    /** @param clockMillis of the leader, monotonic */
    ConversionCounts(Progress before, LongSupplier clockMillis) {
        this.before = before;
        this.recorded = before;
        this.clockMillis = clockMillis;
    }

    /** Counts one more file to convert, with these bytes under other policies. */
    void found(List<Extent> others) {
        files++;
        bytes += others.stream().mapToLong(Extent::length).sum();
    }

    /** Counts bytes of chunks that take the place of what was found. */
    void toWrite(long more) {
        bytesToWrite += more;
    }

    /** All is counted: rewriting begins. */
    void begin() {
        runsSinceMillis = clockMillis.getAsLong();
    }

    void pause() {
        pausedMillis = clockMillis.getAsLong();
    }

    void resume() {
        runsSinceMillis += clockMillis.getAsLong() - pausedMillis;
    }

    void rewritten(long more) {
        bytesDone += more;
    }

    void converted() {
        converted++;
    }

    /** @param failure a path and the reason */
    void failed(String failure) {
        failed++;
        if (firstFailure.isEmpty()) {
            firstFailure = Optional.of(failure);
        }
    }

    boolean noneFailed() {
        return failed == 0;
    }

    Optional<String> firstFailure() {
        return firstFailure;
    }

    /** Returns whether they are others than those recorded last. */
    boolean advanced() {
        return !progress().equals(recorded);
    }

    void recorded(Progress progress) {
        recorded = progress;
    }

    /** With what earlier leaders did. */
    Progress progress() {
        long writtenBefore =
                before.bytes() == 0 ? 0 : (long) ((double) before.bytesToWrite() * before.bytesDone() / before.bytes());
        return new Progress(
                before.converted() + Math.max(files, converted + failed),
                before.converted() + converted,
                failed,
                before.bytesDone() + bytes,
                writtenBefore + bytesToWrite,
                before.bytesDone() + bytesDone);
    }

    /** Time until all is rewritten at the pace so far; empty before anything is. */
    Optional<Long> leftMillis() {
        if (bytesDone == 0) {
            return Optional.empty();
        }
        long ran = clockMillis.getAsLong() - runsSinceMillis;
        return Optional.of((long) ((double) ran * Math.max(0, bytes - bytesDone) / bytesDone));
    }

    /** For the log. */
    @Override
    public String toString() {
        return "files=" + files + " converted=" + converted + " failed=" + failed + " bytes=" + bytes;
    }
}
