/**
 * Moves of intact chunks, chosen by {@code MovePlanner}: away from datanodes that leave, to emptier volumes ({@code
 * Balance}), and to where reads cost less ({@code ChunkMover}, which carries out what {@code Mover} chooses:
 * Algorithm 1 of the ec-store paper, IV-C and IV-D). {@code Mover}, {@code MoveChoice}, {@code MoveMemory},
 * {@code MovePace}, {@code PairCost} and {@code PlacementSnapshot} are pure: facts, loads, statistics and time are
 * arguments, and a {@code Relocation} is the result.
 *
 * <p>Owner thread: the namenode's event thread. What always holds: moves take at most half of the places of
 * reconstruction; drains go before the rest; a relocation never puts two chunks of a group on one datanode, never makes
 * a rack more crowded with chunks of a group than it was, and has a positive gain.
 */
package io.ecfs.namenode.rebalance;
