package io.ecfs.datanode.store.io;

import io.ecfs.buffer.FileSlice;
import io.ecfs.transfer.ReadRange;

/**
 * Bytes of a published chunk in their file: they do not change any more.
 *
 * @param range of the chunk
 * @param file these bytes; the caller closes the slice
 */
public record FileRegion(ReadRange range, FileSlice file) {}
