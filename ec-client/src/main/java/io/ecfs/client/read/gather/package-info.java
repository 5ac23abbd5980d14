/**
 * Reads of stretches of files that lie in many short segments, as patches leave them:
 * {@link io.ecfs.client.read.gather.GroupRun} joins those that lie near each other in a group, and
 * {@link io.ecfs.client.read.gather.GatheredReads} reads the runs side by side, in one message to each datanode, and
 * copies the bytes to where they belong.
 *
 * <p>Threads: runs begin on the client's owner thread; results complete on any.
 *
 * <p>Invariants: a run that cannot be read so is read part by part, with all that a read of a single span does.
 */
package io.ecfs.client.read.gather;
