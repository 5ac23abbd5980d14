/**
 * The namenode: answers clients and datanodes, makes the leader's choices, and runs the leader's services (leases, recovery of open
 * groups, deletion, orphans, keys). It decides, proposes to the log, and answers with what applying gave; nothing it decides is a
 * fact before. Every service converges from the facts and the datanodes' raw reports: no step depends on one delivery.
 *
 * <p>Owner thread: all of {@link io.ecfs.namenode.server.Namenode} and its services run on one scheduler; futures of the log come back to it.
 */
package io.ecfs.namenode.server;
