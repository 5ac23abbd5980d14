/**
 * The cluster that is measured: one that is given, or an {@link io.ecfs.bench.system.OwnCluster} of processes on this
 * machine, whose datanodes a workload may kill and start again. It ends with its owner.
 */
package io.ecfs.bench.system;
