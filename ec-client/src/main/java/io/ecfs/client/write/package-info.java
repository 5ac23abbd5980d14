/**
 * Writing files. {@link io.ecfs.client.write.EcfsOutputStream} fills and encodes stripes ({@code io.ecfs.stripe}) on
 * the writing thread; {@link io.ecfs.client.write.FileWriter}, on the client's owner thread, sends them to the
 * datanodes of one group after the other and handles every failure.
 *
 * <pre>
 *   EcfsOutputStream --work--&gt; FileWriter    order of the groups, consequences of a failure (FileWriterState)
 *                               ├── WorkQueue        stripes, flushes and ends that are not begun yet
 *                               ├── GroupWriter      one group, from given to published (GroupWriterState)
 *                               │    └── ChunkSetWriter   its chunks (io.ecfs.stripe.write), by a StripeRoute (route)
 *                               ├── GroupRewrites    groups that lost too many chunks, read back
 *                               ├── UnsyncedGroups   groups that may not be on disk
 *                               ├── WriterRequests   requests to the namenode, and the consequences of a refusal
 *                               └── WriterEnding     the failure it ended with; releases what arrives too late
 * </pre>
 *
 * <p>What always holds: nothing is acknowledged to the user before min(k+1, n) finished chunks hold it and the namenode
 * has sealed it; a stripe that was handed over is never changed; every buffer is released once, whatever happens: a
 * cell belongs to its stripe until it is taken for sending, then to the call that sends it.
 */
package io.ecfs.client.write;
