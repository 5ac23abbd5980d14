/**
 * Chunks on volumes. A {@link io.ecfs.datanode.store.Volume} knows the life of a chunk (absent, being written,
 * finalised, gone) and keeps it true on disk through crashes; {@link io.ecfs.datanode.store.io.VolumeIo} is its one
 * door to the disk, so that tests and experiments can put faults behind it. Its methods block, and run on the volume's
 * threads, which {@code store.queue} gives out.
 *
 * <p>What must always hold: a chunk that was published is never cut, moved back or deleted except by an order; bytes
 * reach a file only after their checksums matched; whatever the store cannot explain after a crash it keeps and
 * reports. The formats are written down in {@code docs/formats.md}.
 */
package io.ecfs.datanode.store;
