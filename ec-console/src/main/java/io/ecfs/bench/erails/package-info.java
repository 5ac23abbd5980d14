/**
 * The figures of Skourtis et al., Erasure coding and read/write separation in flash storage (2014, "eRails") beside
 * ours, and what is ours alone: groups, adaptive writers, sweeps. Each figure is runs of
 * {@code io.ecfs.bench.bed.erails} or measurements of the codec, whose ratios stand beside the paper's, the limit and
 * the target.
 */
package io.ecfs.bench.erails;
