/**
 * Computes chunks from others of their group, for the leader. {@link io.ecfs.datanode.repair.Repairer} takes the
 * orders; a rebuild reads what the code's plan says, slice by slice, plans anew when a source fails, checks what it
 * computed and publishes it. A check of a group's parity reads all of it and changes nothing.
 *
 * <p>Threads: each step runs where the one before ended, on the network, on the repairer's workers, which compute, or
 * on the volume's own, which write; none of them waits for another. What always holds: memory is lent by one pool, a
 * chunk is published only when it was verified, and one that was not is removed.
 */
package io.ecfs.datanode.repair;
