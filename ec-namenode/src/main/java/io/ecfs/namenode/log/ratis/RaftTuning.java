package io.ecfs.namenode.log.ratis;

import java.time.Duration;

/**
 * Times and sizes of the log.
 * @param electionTimeoutMin a follower that receives nothing for a random time between min and max stands for election;
 *     heartbeats go every half of min; the first election after a start, which cannot depose a leader by haste, comes
 *     after a third of it
 * @param electionTimeoutMax at least 1.5 times min
 * @param entryCommands most commands in one log entry
 * @param entryBytes most bytes of commands in one log entry, and so the largest command
 * @param entriesInFlight entries that are proposed before the first is answered
 * @param waitingCommands bound of commands that wait for an entry; past it callers get {@code BUSY}
 * @param waitingBytes bound of their bytes
 * @param segmentBytes size of a log file; the log is purged by whole files
 * @param checkpointEvery entries between two checkpoints of the state
 * @param checkpointsKept newest checkpoints that stay on disk, beside those being downloaded
 * @param laggingEntries entries retained behind the newest checkpoint for namenodes that have not acknowledged them
 * @param mostEntries entries retained at the very most, for a namenode that downloads a checkpoint; the log never holds
 *     more than this, one checkpoint interval and one file
 * @param downloadIdle a checkpoint that was not read for so long is released
 * @param downloadMost a checkpoint is pinned at most so long
 */
public record RaftTuning(
        Duration electionTimeoutMin,
        Duration electionTimeoutMax,
        int entryCommands,
        int entryBytes,
        int entriesInFlight,
        int waitingCommands,
        long waitingBytes,
        int segmentBytes,
        long checkpointEvery,
        int checkpointsKept,
        long laggingEntries,
        long mostEntries,
        Duration downloadIdle,
        Duration downloadMost) {
    /** gRPC and the appender's buffer are set to carry this much at once. */
    static final int MOST_ENTRY_BYTES = 16 << 20;

    public RaftTuning {
        require(electionTimeoutMin.toMillis() >= 50, "electionTimeoutMin must be at least 50 ms", electionTimeoutMin);
        require(
                electionTimeoutMax.toMillis() * 2 >= electionTimeoutMin.toMillis() * 3,
                "electionTimeoutMax must be at least 1.5 times electionTimeoutMin " + electionTimeoutMin,
                electionTimeoutMax);
        require(entryCommands >= 1 && entryCommands <= 1 << 16, "entryCommands must be in [1, 65536]", entryCommands);
        require(
                entryBytes >= 1024 && entryBytes <= MOST_ENTRY_BYTES,
                "entryBytes must be in [1024, " + MOST_ENTRY_BYTES + "]",
                entryBytes);
        require(entriesInFlight >= 1 && entriesInFlight <= 64, "entriesInFlight must be in [1, 64]", entriesInFlight);
        require(waitingCommands >= 1, "waitingCommands must be positive", waitingCommands);
        require(waitingBytes >= entryBytes, "waitingBytes must hold one entry of " + entryBytes, waitingBytes);
        require(segmentBytes >= 16 << 10, "segmentBytes must be at least 16 KiB", segmentBytes);
        require(checkpointEvery >= 1, "checkpointEvery must be positive", checkpointEvery);
        require(checkpointsKept >= 1, "checkpointsKept must be positive", checkpointsKept);
        require(laggingEntries >= 0, "laggingEntries must not be negative", laggingEntries);
        require(mostEntries >= laggingEntries, "mostEntries must be at least laggingEntries", mostEntries);
        require(!downloadIdle.isNegative() && !downloadIdle.isZero(), "downloadIdle must be positive", downloadIdle);
        require(downloadMost.compareTo(downloadIdle) >= 0, "downloadMost must be at least downloadIdle", downloadMost);
    }

    /** As {@link #standard}, under the name that configuration needs. */
    public static RaftTuning defaults() {
        return standard();
    }

    /**
     * Good for a data centre and for a laptop whose processors are busy with something else: failover in two seconds.
     */
    public static RaftTuning standard() {
        return new RaftTuning(
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                512,
                1 << 20,
                4,
                20_000,
                64L << 20,
                4 << 20,
                10_000,
                2,
                10_000,
                500_000,
                Duration.ofSeconds(60),
                Duration.ofMinutes(30));
    }

    private static void require(boolean holds, String rule, Object got) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", got " + got);
        }
    }
}
