/**
 * Many writers whose stripes one datanode encodes, within its bounds and above them: real daemons in this process, one
 * of them for each case, with its bounds. Shows that the memory of relays stays within {@code relay.bytes}, and
 * that writers which are refused encode themselves and lose nothing.
 *
 * <pre>
 *   RelayPlan --> RelayBench --RelayMasters: a cluster, a master for each RelayCase
 *                      `--RelayRun: writers, all at once; then every file is compared --> RelayResult --> Figure, Table
 * </pre>
 *
 * Threads: a {@link io.ecfs.bench.load.Crew}, one thread a writer.
 */
package io.ecfs.bench.relays;
