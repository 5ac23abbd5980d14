/**
 * Chunks on volumes. A {@link io.ecfs.datanode.store.Volume} knows the life of a chunk (absent, being written,
 * finalised, gone) and keeps it true on disk through crashes; {@link io.ecfs.datanode.store.io.VolumeIo} is its one
 * door to the disk, so that tests and experiments can put faults behind it. Its methods block, and run on the volume's
 * threads, which {@code store.queue} gives out.
 *
 * <p>Always true: a published chunk is never truncated, moved back or deleted except by an order; bytes reach a file
 * only after their checksums matched; the store retains and reports what it cannot explain after a crash.
 * {@code docs/formats.md} specifies the formats.
 */
package io.ecfs.datanode.store;
