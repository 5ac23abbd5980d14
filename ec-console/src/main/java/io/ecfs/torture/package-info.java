/**
 * {@code ecfs torture}: clients with unique tags on few shared paths, faults in combination within what the cluster
 * promises to survive, and checkers that need no knowledge of either.
 *
 * <pre>
 *   Torture ── TortureCluster ── ProcessSite   one process each: kill -9, SIGSTOP, files changed behind its back
 *      │                    └───── OneSite       one process: MemoryMachines (disks, clocks), Links (lost messages)
 *      ├── Clients (load)      ── journals ──┐
 *      ├── FaultDriver (fault) ── faults.log │
 *      ├── Settling            all faults over: every file closed, every chunk healed, nothing left, within a bound
 *      ├── FinalCheck          every path read, with datanodes away as well ── journal ──┤
 *      ├── ChunkAudit          every group encoded again from its chunks         │
 *      ├── WriteProof          a file written, synced and read back
 *      ├── Divergences         namenodes whose facts differed                    │
 *      └── HistoryCheck (check) ─────────────── history ────────────────────────┘  impossible? then the fewest calls
 * </pre>
 *
 * What must always hold: faults stay within the budget, so what a checker finds is a bug; a failed run leaves its
 * directory with all logs.
 */
package io.ecfs.torture;
