package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.message.ring.ReadTimes;
import io.ecfs.transfer.LatencyWindow;
import java.util.concurrent.TimeUnit;

/** Recent latencies of a volume's reads, by whether it only read. Safe for use by several threads. */
final class RoleLatencies {
    @GuardedBy("this")
    private final LatencyWindow reading = new LatencyWindow();

    @GuardedBy("this")
    private final LatencyWindow writing = new LatencyWindow();

    synchronized void record(boolean isWriting, long nanos) {
        (isWriting ? writing : reading).record(nanos);
    }

    synchronized ReadTimes times(boolean isWriting) {
        LatencyWindow window = isWriting ? writing : reading;
        return window.hasEnough() ? new ReadTimes(micros(window, 0.5), micros(window, 0.99)) : ReadTimes.NONE;
    }

    private static long micros(LatencyWindow window, double share) {
        return TimeUnit.NANOSECONDS.toMicros(window.quantile(share));
    }
}
