/**
 * One term of leading: {@code Leader} makes the services of the term, drives them with one tick, and passes the reports
 * of datanodes to them. Here are also the services that only combine others: orders to datanodes ({@code
 * HeartbeatOrders}, {@code OrderLongPoll}), states of datanodes ({@code AdminStateMonitor}, {@code DrainProgress}), the
 * history of incidents ({@code IncidentWatch}), and the other namenodes ({@code OtherNamenodes}, {@code
 * FactsComparison}, {@code UpgradeFinalization}).
 *
 * <p>Owner thread: the namenode's event thread. Invariants: nothing outlives its term except through the log; no
 * service of another package knows {@code Leader}, which connects them by listeners.
 */
package io.ecfs.namenode.leader;
