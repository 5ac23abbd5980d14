package io.ecfs.namenode.server;

import io.ecfs.message.chunk.RebuildWork;
import java.util.Optional;

/** What repairs came to, for monitoring. Owner thread: the namenode's event thread. */
final class RepairTotals {
    private long committed;
    private long failed;
    private long bytesRead;
    private long bytesRepaired;

    void committed(Optional<RebuildWork> work) {
        committed++;
        work.ifPresent(w -> {
            bytesRead += w.bytesRead();
            bytesRepaired += w.bytesRepaired();
        });
    }

    void failed(Optional<RebuildWork> work) {
        failed++;
        work.ifPresent(w -> bytesRead += w.bytesRead());
    }

    long committed() {
        return committed;
    }

    long failed() {
        return failed;
    }

    /** Of sources, also by attempts that failed. */
    long bytesRead() {
        return bytesRead;
    }

    /** Of chunks that took their places. */
    long bytesRepaired() {
        return bytesRepaired;
    }
}
