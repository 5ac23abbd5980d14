/**
 * The tables and figures of Kim et al. (Cost analysis of erasure coding for exa-scale storage, 2018) beside this file
 * system: {@code ecfs bench exstorus}. Their numbers and our targets are resources; ours come from the bed of writes in
 * virtual time, and for the codes from the kernels of this machine. Where the paper contradicts itself both numbers are
 * shown ({@code Contradictions}).
 *
 * <pre>
 *   Shown --> Exstorus --> StepTables, ShareTables, FastNetwork, CodeTables, Combinations --> Report
 *                                  `--> BedRuns --> io.ecfs.bench.bed.write
 * </pre>
 */
package io.ecfs.bench.exstorus;
