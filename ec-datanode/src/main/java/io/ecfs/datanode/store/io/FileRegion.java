package io.ecfs.datanode.store.io;

import io.ecfs.buffer.FileSlice;
import io.ecfs.transfer.ReadRange;

/**
 * Bytes of a published chunk where they lie: they do not change any more.
 *
 * @param range of the chunk
 * @param file these bytes; whoever takes them closes them
 */
public record FileRegion(ReadRange range, FileSlice file) {}
