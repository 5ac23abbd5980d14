package io.ecfs.bench.bed.recovery;

/**
 * What one slice reads of one source.
 *
 * @param bytes stored ones, which are also sent
 * @param runs contiguous ones
 * @param spanBytes from the first of them to the last
 */
record SourceReads(int index, long bytes, int runs, long spanBytes) {}
