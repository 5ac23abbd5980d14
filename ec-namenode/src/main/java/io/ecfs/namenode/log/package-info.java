/**
 * The replicated log as the namenode sees it: commands go in at the leader, come back in the same order on every
 * namenode, and change nothing before they do. {@link io.ecfs.namenode.log.MetadataLog} is the port; {@code log.ratis}
 * is its Raft adapter and knows nothing of namespaces; simulation brings an in-memory one.
 */
package io.ecfs.namenode.log;
