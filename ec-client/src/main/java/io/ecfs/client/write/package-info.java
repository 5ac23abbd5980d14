/**
 * Writing files. {@link io.ecfs.client.write.EcfsOutputStream} fills and encodes stripes on the writing thread; {@link
 * io.ecfs.client.write.FileWriter}, on the client's owner thread, sends them to the datanodes of one group after the other and
 * deals with every failure.
 *
 * <pre>
 *   EcfsOutputStream --stripes, ends--&gt; FileWriter (WriterState) ── GroupWriter   one group: what each chunk was sent and answered
 *                                                              ├── Rescues       groups that lost too many chunks, read back
 *                                                              └── LeaseCalls    what the namenode is asked
 * </pre>
 *
 * <p>What always holds: nothing is acknowledged to the user before min(k+1, n) finished chunks hold it and the namenode has sealed
 * it; a stripe that was handed over is never changed; every buffer is released once, whatever happens: a cell belongs to its stripe
 * until it is taken for sending, then to the call that sends it.
 */
package io.ecfs.client.write;
