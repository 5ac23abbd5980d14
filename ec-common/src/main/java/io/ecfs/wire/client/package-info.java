/**
 * The asking end: {@link io.ecfs.wire.client.WireClient} has connections to many addresses, and each
 * {@link io.ecfs.wire.client.ClientConnection} the calls that wait, are in flight and are cancelled on it. Calls are
 * made by any thread; a connection's state belongs to its event loop.
 *
 * <p>Always true: every call completes once, with an answer or with one failure; what had not left when a connection
 * broke is sent again, what had left is not.
 */
package io.ecfs.wire.client;
