/**
 * Rounds of faults.
 *
 * <pre>
 *   FaultDriver ── Faults (the registry: names) ── Fault ── one small class each
 *        ├── FaultBudget   at most m datanodes and a minority of the namenodes are hurt until the cluster is whole
 *        └── FaultLog      DIR/faults.log: when each began and ended, and on whom
 * </pre>
 *
 * What must always hold: a round's faults together stay within the budget, and the next round begins when the cluster
 * is whole, so every failure is a bug. One thread.
 */
package io.ecfs.torture.fault.driver;
