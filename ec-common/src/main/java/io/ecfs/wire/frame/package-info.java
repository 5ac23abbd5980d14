/**
 * Frames of one connection: cut out of the stream, put on it, and the memory they take.
 *
 * <pre>
 *   u32 magic "ECF1" | u32 length = head + payload | u16 type | u16 flags | u32 headBytes | u64 call id
 *   | head | payload
 * </pre>
 *
 * {@link io.ecfs.wire.frame.FrameDecoder} takes the bytes of a frame from an {@link io.ecfs.wire.frame.Intake} before
 * it allocates them; {@link io.ecfs.wire.frame.EncodedFrame} owns its buffers until it is sent or released. All of a
 * connection's handlers run on its event loop. Only the packages of the wire use this one.
 */
package io.ecfs.wire.frame;
