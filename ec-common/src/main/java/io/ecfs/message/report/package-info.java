/**
 * Reports to operators: the state of the cluster, incidents and their history, repairs, moves, loads, and the results
 * of fsck. Values inside replies; none is a message of its own.
 */
package io.ecfs.message.report;
