/**
 * Leases of open files and their recovery on the leader: {@code LeaseMonitor} finds leases that expired,
 * {@code GroupRecovery} fences the open group of each on its datanodes, computes its length from their answers
 * ({@code RecoveringFile}) and closes the file.
 *
 * <p>Owner thread: the namenode's event thread; one object a term. What always holds: no acknowledged byte is cut off;
 * a length is proposed only when every chunk that could have more has answered to the fence of this recovery, or cannot
 * matter.
 */
package io.ecfs.namenode.lease;
