/**
 * A whole cluster on this machine, as {@code ecfs up} starts it: {@link io.ecfs.console.local.ClusterPlan} says which
 * daemons with which ports and directories, and stays on disk so that the next {@code up} finds its data;
 * {@link io.ecfs.console.local.ClusterFile} says what runs now. Daemons live in this process or, one JVM each, in their
 * own.
 *
 * <pre>
 *   DIR/plan.json       what the cluster is made of
 *   DIR/cluster.json    what runs: addresses and pids, for scripts
 *   DIR/conf/ID.yaml    a daemon's configuration, and console.yaml
 *   DIR/console/        the console's audit log
 *   DIR/benchmarks/     results of 'ecfs bench --json' that the console shows
 *   DIR/logs/           cluster.log, or ID.log for each process
 *   DIR/nn0/ DIR/dn0/   a daemon's data
 * </pre>
 */
package io.ecfs.console.local;
