/**
 * Writing files. {@link io.ecfs.client.write.EcfsOutputStream} fills and encodes stripes on the writing thread; {@link
 * io.ecfs.client.write.FileWriter}, on the client's owner thread, sends them to the datanodes of one group after the other and
 * deals with every failure; {@link io.ecfs.client.write.GroupWriter} keeps count of one group's chunks.
 *
 * <p>What always holds: nothing is acknowledged to the user before min(k+1, n) finished chunks hold it and the namenode has sealed
 * it; a stripe that was handed over is never changed; every buffer is released once, whatever happens.
 */
package io.ecfs.client.write;
