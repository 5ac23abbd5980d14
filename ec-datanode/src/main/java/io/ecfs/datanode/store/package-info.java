/**
 * Chunks on volumes. A {@link io.ecfs.datanode.store.Volume} knows the life of a chunk (absent, being written,
 * finalised, gone) and keeps it true on disk through crashes; {@link io.ecfs.datanode.store.VolumeIo} is its one door
 * to the disk, so that tests and experiments can put faults behind it; {@link io.ecfs.datanode.store.VolumeQueue} gives
 * each volume threads and a bound, {@link io.ecfs.datanode.store.PerChunkOrder} each chunk its order;
 * {@link io.ecfs.datanode.store.DeferredHedges} keeps back what perhaps nobody needs.
 *
 * <p>What must always hold: a chunk that was published is never cut, moved back or deleted except by an order; bytes
 * reach a file only after their checksums matched; whatever the store cannot explain after a crash it keeps and
 * reports. The formats are written down in {@code docs/formats.md}.
 */
package io.ecfs.datanode.store;
