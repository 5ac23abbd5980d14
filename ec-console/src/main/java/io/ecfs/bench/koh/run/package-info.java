/**
 * Measures the figures of {@link io.ecfs.bench.koh} on a cluster of this machine.
 *
 * <pre>
 *   KohPlan --> KohRun --stage--> RequestRun, MixRun --> Outcome --> KohResults --> tables, lines of JSON
 *                 |                  |
 *             KohCluster           Images: files with what they must hold (ExpectedFile)
 *                 |                  |
 *           CountedVolumes         RequestLoop: requests under way
 * </pre>
 *
 * Every byte that is read is compared with what was written. Volumes are counted at their port: what a datanode reads
 * and writes, whether from the page cache or a disk.
 *
 * <p>Threads: one runs everything, begins all requests and takes all answers; volumes are counted by their own threads.
 */
package io.ecfs.bench.koh.run;
