/**
 * Bytes of updates in place: batches of writes, the index of a patch group, and the map of a file's newest bytes.
 *
 * <p>A file that is updated in place has patch groups. A patch group is a block group in which {@link
 * io.ecfs.patch.PatchBatch batches} lie one behind another. A group that was sealed in order ends with a {@link
 * io.ecfs.patch.PatchIndex}. A reader applies the groups of a file, oldest first, to a {@link io.ecfs.patch.PatchMap}:
 * by the index, or by the batches where there is none. For each position of the file, the map then has the newest byte
 * of the patch groups. Positions without an entry are read from the file's extents.
 *
 * <p>Functions of their arguments: nothing here does I/O. The log-structured form follows Rosenblum and Ousterhout, The
 * Design and Implementation of a Log-Structured File System (SOSP 1991).
 */
package io.ecfs.patch;
