/**
 * A datanode that encodes and distributes stripes for a writer (Kim et al.'s master process): the client sends each
 * user byte once.
 *
 * <pre>
 *   writer --RelayCell--> RelayService --> Relay --> RelayStripe   k cells come, m are computed
 *                                            |
 *                                            `--> CellSink: WriteCells to the n datanodes, one of them this one
 * </pre>
 *
 * A cell is acknowledged when its chunk's datanode has acknowledged it, never earlier. The writer opens and finishes
 * the chunks itself, and writes what a relay did not.
 */
package io.ecfs.datanode.relay;
