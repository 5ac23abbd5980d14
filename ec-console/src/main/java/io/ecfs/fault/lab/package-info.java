/**
 * Runs fault experiments on clusters of their own and shows what they found.
 *
 * <pre>
 *   FaultProfile --> FaultLab: for each policy and repetition
 *                       Lab (daemons, disks, proxies) --> LabFiles: write
 *                       Experiment: inject, wait until healed, undo, wait until whole
 *                       LabFiles: read every byte back --> ExperimentResult --> ExperimentReport
 * </pre>
 *
 * <p>One thread runs an experiment; clients of the load have their own. Always true: no fault goes beyond the budget,
 * every fault is undone on every way out, and no experiment touches a cluster that it has not started.
 */
package io.ecfs.fault.lab;
