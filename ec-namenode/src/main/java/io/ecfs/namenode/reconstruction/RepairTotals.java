package io.ecfs.namenode.reconstruction;

import io.ecfs.message.chunk.RebuildWork;
import java.util.Optional;

/** Totals of repairs, for monitoring. Owner thread: the namenode's event thread. */
public final class RepairTotals {
    private long committed;
    private long failed;
    private long bytesRead;
    private long bytesRepaired;

    public void committed(Optional<RebuildWork> work) {
        committed++;
        work.ifPresent(w -> {
            bytesRead += w.bytesRead();
            bytesRepaired += w.bytesRepaired();
        });
    }

    public void failed(Optional<RebuildWork> work) {
        failed++;
        work.ifPresent(w -> bytesRead += w.bytesRead());
    }

    public long committed() {
        return committed;
    }

    public long failed() {
        return failed;
    }

    /** Of sources, also by attempts that failed. */
    public long bytesRead() {
        return bytesRead;
    }

    /** Of chunks that took their places. */
    public long bytesRepaired() {
        return bytesRepaired;
    }
}
