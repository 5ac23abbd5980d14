/**
 * Locations of the bytes of open files: {@link io.ecfs.client.location.Locations} caches the segments of one file and
 * requests them again when a chunk has moved or a token expires, {@link io.ecfs.client.location.OpenGroupProbes} asks
 * the datanodes for groups that are still being written.
 *
 * <p>Threads: {@code Locations} is safe for use by several threads; probes of open groups run on the client's owner
 * thread.
 *
 * <p>Invariants: bytes of a sealed group never change their place in the file while it is open; a read that would see
 * other bytes fails with {@code FILE_CHANGED}. A place is requested again once for all reads that miss a chunk there.
 * This package knows nothing of how spans are read.
 */
package io.ecfs.client.location;
