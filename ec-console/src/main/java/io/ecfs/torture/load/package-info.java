/**
 * Load of the clients of a torture: each thread calls, one call after the other, on a few paths that all threads share,
 * and writes every call to its {@link io.ecfs.torture.history.CallJournal}.
 *
 * <pre>
 *   LoadPlan ── TortureLoad ── ClientThread × threads ── one EcfsClient ── the cluster
 *                                   ├── PlayGround     paths: a few at a time, new ones every while: small histories
 *                                   ├── FileBeingWritten  flushed, left idle, closed
 *                                   └── TaggedBytes    every eight bytes encode their writer and position
 * </pre>
 *
 * Invariant: a thread has one call open at a time; a tag is used once.
 */
package io.ecfs.torture.load;
