/**
 * Rebuilds a chunk on this datanode from others of its group. {@link io.ecfs.datanode.repair.Repairer} takes the orders;
 * a rebuild reads what the code's plan says, slice by slice, plans anew when a source fails, checks what it computed and publishes it.
 * What always holds: memory is lent by one pool, a chunk is published only when it was verified, and one that was not is removed.
 */
package io.ecfs.datanode.repair;
