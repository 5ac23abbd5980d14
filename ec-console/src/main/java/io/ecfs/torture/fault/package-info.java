/**
 * Faults of a cluster under torture, within the limits that it tolerates.
 *
 * <pre>
 *   FaultDriver ── Faults (the registry: names) ── Fault ── one small class each
 *        │                                            └── TortureSite   daemons and clients of one shape
 *        ├── FaultBudget   at most m datanodes and a minority of the namenodes are hurt until the cluster is whole
 *        └── FaultLog      DIR/faults.log: when each began and ended, and on whom
 * </pre>
 *
 * Invariant: a round's faults together stay within the budget, and the next round begins when the cluster
 * is whole, so every failure is a bug. One thread.
 */
package io.ecfs.torture.fault;
