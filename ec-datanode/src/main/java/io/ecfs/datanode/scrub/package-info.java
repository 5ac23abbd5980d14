/**
 * Looks at all that lies on the volumes, again and again: a chunk that nobody reads may rot, and a group that lost more
 * chunks that way than its code stands is noticed only when it is too late. A {@link io.ecfs.datanode.scrub.Scrubber}
 * walks each volume at a set rate and has the verdicts told; what they lead to is up to the leader.
 *
 * <p>Threads: the walks run on one scheduler, side by side, and never block it; what touches a disk runs on the
 * volume's own threads. What always holds: no volume is read faster than its rate, and a chunk is called corrupt only
 * after all of it was judged.
 */
package io.ecfs.datanode.scrub;
