/**
 * Looks at all that lies on the volumes, again and again: a chunk that nobody reads may rot, and a group that lost more chunks that way
 * than its code stands is noticed only when it is too late. A {@link io.ecfs.datanode.scrub.Scrubber} walks each volume at a set rate
 * and has the verdicts told; what they lead to is the recovery manager's.
 */
package io.ecfs.datanode.scrub;
