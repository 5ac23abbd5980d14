/**
 * The audit log: one line for each change that a user requested of the namenode, and for each request that was denied,
 * in the line format of HDFS's audit log (FSNamesystem.DefaultAuditLogger). The name and the arguments of every request
 * are in {@code OperationNames}; {@code AuditTrail} has the queue to the {@code AuditSink}.
 *
 * <p>Owner thread: the trail's scheduler writes; requests are recorded from any thread. Invariant: a change is executed
 * only when its line has a place in the queue, so no line of a change is dropped while the process runs.
 */
package io.ecfs.namenode.audit;
