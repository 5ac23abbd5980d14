package io.ecfs.console.derby;

import io.ecfs.client.EcfsClient;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Recovery of files that a dead process left open. */
public final class LeaseEnd {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(10);

    private LeaseEnd() {}

    /** Takes the lease of a file from whoever has it, and returns when the file is closed. */
    public static void await(EcfsClient client, FilePath path) {
        Awaitility.await(path + " is closed by its recovery")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .until(() -> Await.result(client.recoverLease(path)));
    }
}
