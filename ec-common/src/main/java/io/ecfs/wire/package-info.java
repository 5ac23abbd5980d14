/**
 * One pipelined request/answer protocol for everybody: frames of a small head and a raw payload, over Netty.
 *
 * <pre>
 *   u32 magic "ECF1" | u32 length = head + payload | u16 type | u16 flags | u32 headBytes | u64 call id | head | payload
 * </pre>
 *
 * {@link io.ecfs.wire.Caller} asks, {@link io.ecfs.wire.Handler} answers; {@link io.ecfs.wire.Envelope} is what both
 * exchange. {@link io.ecfs.wire.WireNumbers} numbers the records that travel; a number is never given another meaning.
 *
 * <p>Threads: each connection is owned by one event loop, which runs all its code; handlers run there too and never
 * block.
 *
 * <p>Always true: no length is trusted before it is checked and no memory taken before the budget grants it; every
 * buffer has one owner and is released once on success, failure and cancel; a frame that breaks the rules ends its
 * connection, never another.
 */
package io.ecfs.wire;
