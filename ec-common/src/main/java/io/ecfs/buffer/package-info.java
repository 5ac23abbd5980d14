/**
 * Direct memory with a hard bound. {@link io.ecfs.buffer.MemoryBudget} counts bytes and makes requests for more than is
 * left wait their turn; {@link io.ecfs.buffer.BufferPool} lends direct buffers against such a budget and counts its
 * loans; {@link io.ecfs.buffer.CellAllocator} allocates their memory, and that of large frames.
 *
 * <p>Always true: lent bytes never exceed the budget; every loan ends once, by the last {@code release} of its buffer;
 * a buffer is never touched after that.
 */
package io.ecfs.buffer;
