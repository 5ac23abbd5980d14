/**
 * Reconstruction of lost chunks on the leader. {@code RepairRounds} runs the rounds: {@code RepairPlanner} chooses the
 * groups with the least redundancy left, {@code RepairCauses} separates damage that calls for a repair from damage that
 * may mend itself, and {@code RepairService} drives each chunk as a {@code ChunkRepair} from its proposal to its
 * commit, with a target and sources by {@code RepairTargets} and {@code RepairSources}. Moves of whole chunks run on
 * the same machine behind {@code ReconstructionPolicy}.
 *
 * <p>Owner thread: the namenode's event thread; one object a term. What always holds: at most one chunk of a group is
 * under way; lost chunks go before moves; orders repeat with every heartbeat until they are answered, and a new leader
 * continues the attempts that it finds in the facts.
 */
package io.ecfs.namenode.reconstruction;
