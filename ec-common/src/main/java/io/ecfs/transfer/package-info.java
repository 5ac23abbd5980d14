/**
 * Moving the bytes of chunks. {@link io.ecfs.transfer.ChunkPayload} is the one place that knows how checksums and bytes
 * lie in a payload; {@link io.ecfs.transfer.ChunkClient} is the typed face of a datanode.
 *
 * <p>What always holds: no byte leaves {@code ChunkClient} before its checksum window was verified, and every payload
 * has one owner, who releases it.
 */
package io.ecfs.transfer;
