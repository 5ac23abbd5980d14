package io.ecfs.bench.bed.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How late the kernel may wake a thread that sleeps: 50 us, unless the thread asks for less (prctl(2)). */
final class TimerSlack {
    private static final Path THIS_THREAD = Path.of("/proc/thread-self");
    private static final String LEAST_NANOS = "1";

    private TimerSlack() {}

    /** Asks for as little as possible for this thread; false where the system does not offer that. */
    static boolean least() {
        try {
            Path thread = Files.readSymbolicLink(THIS_THREAD).getFileName();
            Files.writeString(Path.of("/proc").resolve(thread).resolve("timerslack_ns"), LEAST_NANOS);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
