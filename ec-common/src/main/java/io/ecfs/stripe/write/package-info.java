/**
 * Writing the chunks of one group, for whoever has stripes: a client's file, or a rewriter that has no client.
 *
 * <pre>
 *   ChunkSetWriter      opens, fills, finishes, puts and aborts the n chunks (WrittenChunks, ChunkCalls)
 *    ├── StripeRoute    the way of the cells: DirectRoute, or one through another datanode
 *    ├── TailWriter     acknowledgements before the group ends, in IncrementBatches (GroupTail)
 *    ├── WriteToken     the right to write, renewed by whoever asks the namenode
 *    └── WriteTimes     where the time goes, in the steps of Kim et al.
 * </pre>
 *
 * <p>Owned by the owner thread of whoever writes; only {@link io.ecfs.stripe.write.WriteTimes} is shared.
 *
 * <p>What always holds: a chunk's messages are sent in order, and one that failed is written no more; a stripe stays
 * open until all its cells are answered. Which chunks are enough is said here, what becomes of a group that has too few
 * is decided by its owner.
 */
package io.ecfs.stripe.write;
