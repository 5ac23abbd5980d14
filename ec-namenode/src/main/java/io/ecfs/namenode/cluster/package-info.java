/**
 * Facts about the cluster as a whole: its identity, its datanodes and volumes, the keys of block tokens, and the
 * counters that give out ids. Rows of the replicated state: they change only while a log entry is applied, on the log's
 * thread.
 */
package io.ecfs.namenode.cluster;
