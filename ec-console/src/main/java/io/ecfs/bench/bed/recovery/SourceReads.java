package io.ecfs.bench.bed.recovery;

/**
 * What one slice reads of one source.
 *
 * @param bytes stored ones, which are also sent
 * @param runs contiguous ones
 * @param visits accesses of the disk when neighbouring runs are read in one, by {@link io.ecfs.transfer.ReadVisits}
 * @param visitedBytes that the disk reads then, those between runs too
 */
record SourceReads(int index, long bytes, int runs, int visits, long visitedBytes) {}
