/**
 * The work of one volume, in order and within bounds. A {@link io.ecfs.datanode.store.queue.VolumeQueue} gives each
 * volume threads and a bound, {@link io.ecfs.datanode.store.queue.PerChunkOrder} each chunk its order, {@link
 * io.ecfs.datanode.store.queue.DeferredHedges} runs spares only when nothing else waits.
 *
 * <p>Tasks enter on any thread and run on the volume's threads. What must always hold: tasks of one chunk begin in
 * order of arrival, but for spares; at most the bound of tasks wait or run. The queue knows no files, and of chunks
 * their names alone.
 */
package io.ecfs.datanode.store.queue;
