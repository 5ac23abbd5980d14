/**
 * Deletion of chunks on the leader: {@code DeletionService} orders the deletion of what the facts call garbage,
 * {@code OrphanService} finds chunks that no group places and has them adopted, or proved to be garbage and then
 * deleted.
 *
 * <p>Owner thread: the namenode's event thread; one object a term. What always holds: a datanode is ordered to delete
 * only what the log has as garbage, and a chunk becomes garbage only with its proof: its group is gone, or enough
 * others of its group are live.
 */
package io.ecfs.namenode.deletion;
