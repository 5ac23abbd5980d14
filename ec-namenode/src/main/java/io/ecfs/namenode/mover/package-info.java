/**
 * Which chunk is to lie elsewhere so that reads cost less: Algorithm 1 of the ec-store paper (IV-C and IV-D), what it remembers so as not to move
 * anything to and fro, and its pace. Pure: facts, loads, statistics and time are handed in, and a {@code Relocation} comes back; the
 * leader's {@code ChunkMover} has it carried out. What always holds: a relocation never puts two chunks of a group on one datanode, never
 * makes a rack more crowded with chunks of a group than it was, and has a positive gain.
 */
package io.ecfs.namenode.mover;
