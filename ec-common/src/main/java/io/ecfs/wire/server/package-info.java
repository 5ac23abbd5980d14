/**
 * The answering end: {@link io.ecfs.wire.server.WireServer} accepts connections up to its bounds, proves who asks,
 * checks {@link io.ecfs.wire.server.Rights} and passes requests to the one {@link io.ecfs.wire.Handler}. Each
 * connection belongs to its event loop.
 *
 * <p>Always true: no request reaches the handler before its caller may send it and its answer has memory, except for
 * the answers of spares, which take theirs when they are ready.
 */
package io.ecfs.wire.server;
