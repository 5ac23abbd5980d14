/**
 * Chunks on volumes. A {@link io.ecfs.datanode.store.Volume} knows the life of a chunk (absent, being written,
 * finalised, gone) and keeps it true on disk through crashes; {@link io.ecfs.datanode.store.VolumeIo} is its only
 * access to the disk, where tests and experiments inject faults; {@link io.ecfs.datanode.store.VolumeQueue} gives each
 * volume threads and a bound, {@link io.ecfs.datanode.store.PerChunkOrder} each chunk its order;
 * {@link io.ecfs.datanode.store.DeferredHedges} defers spares.
 *
 * <p>Always true: a published chunk is never truncated, moved back or deleted except by an order; bytes reach a file
 * only after their checksums matched; the store retains and reports what it cannot explain after a crash.
 * {@code docs/formats.md} specifies the formats.
 */
package io.ecfs.datanode.store;
