/**
 * One pipelined protocol of requests and answers for all processes, over Netty: its vocabulary, which both ends share.
 *
 * <pre>
 *   server, client, file      ends of connections; none of them knows another
 *        |
 *      frame                  frames of one connection, and the memory they take
 *        |
 *   wire  ->  tls             Caller, Handler, Envelope, Session, WireOptions, WireLoops
 *   codec                     heads of messages as bytes
 * </pre>
 *
 * {@link io.ecfs.wire.Caller} asks, {@link io.ecfs.wire.Handler} answers; {@link io.ecfs.wire.Envelope} is what both
 * exchange; {@link io.ecfs.wire.WireOptions} has the bounds. {@link io.ecfs.wire.Await} and {@link
 * io.ecfs.wire.Futures} are for those who wait for answers.
 *
 * <p>Threads: each connection is owned by one event loop of {@link io.ecfs.wire.WireLoops}, which runs all its code;
 * handlers run there too and never block.
 *
 * <p>Always true, in all packages of the wire: no length is trusted before it is checked and no memory taken before the
 * budget grants it; every buffer has one owner and is released once on success, failure and cancel; a frame that breaks
 * the rules ends its connection, never another.
 */
package io.ecfs.wire;
