/**
 * The datanode as others see it. {@link io.ecfs.datanode.server.ChunkService} answers requests about chunks;
 * {@link io.ecfs.datanode.server.ControlPlane} keeps every namenode informed and does what the leader orders;
 * {@link io.ecfs.datanode.server.DatanodeDaemon} wires both to the network and the disks.
 *
 * <p>Threads: network threads only hand over; disk work runs on each volume's own threads; the control plane is owned
 * by one scheduler. What must always hold: a change of a chunk is reported in the order it happened to every namenode
 * until that one has noted it, or a full report takes its place; an order of a deposed leader is not carried out.
 */
package io.ecfs.datanode.server;
