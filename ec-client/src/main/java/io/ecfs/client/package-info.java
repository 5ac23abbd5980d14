/**
 * The client library: names, files, streams. {@link io.ecfs.client.EcfsClient} is the entry; its calls return futures
 * and {@link io.ecfs.wire.Await} makes them blocking.
 *
 * <p>One scheduler thread owns the state machines of all writers and reads of a client; encoding runs on the writing
 * thread, decoding on the client's workers, and no network thread is ever blocked. Memory is bounded by {@link
 * io.ecfs.client.base.ClientConfig}, whatever datanodes do.
 */
package io.ecfs.client;
