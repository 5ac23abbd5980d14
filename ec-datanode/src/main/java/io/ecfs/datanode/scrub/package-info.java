/**
 * Scrubs all chunks on the volumes, round after round: an unread chunk may rot, and a group that lost more chunks that
 * way than its code tolerates would be noticed only when it is too late. A {@link io.ecfs.datanode.scrub.Scrubber}
 * reads each volume at a set rate and reports the corrupt chunks; the leader decides what to do.
 *
 * <p>Threads: all scrubs run on one scheduler and never block it; disk accesses run on the volume's own threads. Always
 * true: no volume is read faster than its rate, and a chunk is reported corrupt only after all of it was verified.
 */
package io.ecfs.datanode.scrub;
