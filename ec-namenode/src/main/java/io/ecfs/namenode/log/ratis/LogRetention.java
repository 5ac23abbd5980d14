package io.ecfs.namenode.log.ratis;

import java.util.OptionalLong;

/**
 * The last entry to purge from the log after a checkpoint, by three rules, of which the later one wins: retain what a
 * namenode has not acknowledged, but at most {@code laggingEntries} of it (one that is down must not fill the disk);
 * retain everything after a checkpoint that is being downloaded or was a moment ago (else the download is stale when it
 * ends, and begins again, for ever: HDDS-13268); retain at most {@code mostEntries} in any case (Alluxio 13720).
 */
record LogRetention(long laggingEntries, long mostEntries) {

    /**
     * @param checkpoint index of the newest checkpoint on disk; nothing after it is ever purged
     * @param slowest the smallest index that some namenode acknowledged, -1 when one never reported
     * @param downloading index of the oldest checkpoint that is being downloaded
     * @return last index to purge; negative: none
     */
    long purgeTo(long checkpoint, long slowest, OptionalLong downloading) {
        long purge = Math.min(checkpoint, Math.max(slowest, checkpoint - laggingEntries));
        if (downloading.isPresent()) {
            purge = Math.min(purge, Math.max(downloading.getAsLong(), checkpoint - mostEntries));
        }
        return purge;
    }
}
