/**
 * Writing files. {@link io.ecfs.client.write.EcfsOutputStream} fills and encodes stripes on the writing thread; {@link
 * io.ecfs.client.write.FileWriter}, on the client's owner thread, sends them to the datanodes of one group after the
 * other and deals with every failure.
 *
 * <pre>
 *   EcfsOutputStream --work--&gt; FileWriter    which group follows which, what a failure means (WriterState)
 *                               ├── WorkQueue        stripes, flushes and ends that were not begun yet
 *                               ├── GroupCourse      one group, from given to published; takes from the queue
 *                               │    └── GroupWriter    what is sent to each chunk and answered (WrittenChunks, ChunkCalls)
 *                               │         └── TailWriter    what is acknowledged before the group ends (GroupTail)
 *                               ├── Rescues          groups that lost too many chunks, read back
 *                               ├── UnsyncedGroups   groups that may not be on disk
 *                               ├── GroupRequests    what the namenode is asked for, and what a refusal means
 *                               │    └── LeaseCalls     how
 *                               └── WriterEnding     why it ended, and what becomes of what comes too late
 * </pre>
 *
 * <p>What always holds: nothing is acknowledged to the user before min(k+1, n) finished chunks hold it and the namenode
 * has sealed it; a stripe that was handed over is never changed; every buffer is released once, whatever happens: a
 * cell belongs to its stripe until it is taken for sending, then to the call that sends it.
 */
package io.ecfs.client.write;
