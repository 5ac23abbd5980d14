/**
 * Files that are updated in place. {@link io.ecfs.client.update.UpdatableFile} queues what its users ask,
 * {@link io.ecfs.client.update.PatchStream} writes it as batches into patch groups, which it seals one after the other,
 * and {@link io.ecfs.client.update.PatchReads} loads what earlier ones have for readers. Nothing acknowledged is
 * overwritten, and nothing is read to write.
 *
 * <p>Threads: users' calls never wait; batches are copied and encoded on the update workers, one at a time for a file.
 */
package io.ecfs.client.update;
