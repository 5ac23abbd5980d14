/**
 * The replicated state as a whole: {@link io.ecfs.namenode.state.MetadataState} applies log entries to a store,
 * {@link io.ecfs.namenode.state.MetadataView} answers questions about it. Remembers answers so that a call repeated
 * after a failover has its effect once.
 */
package io.ecfs.namenode.state;
