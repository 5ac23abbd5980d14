/**
 * Reading files: {@link io.ecfs.client.read.FileReader} maps file ranges to spans of groups,
 * {@link io.ecfs.client.read.SpanRead} gets the bytes of one span, by decode where chunks fail or are late,
 * {@link io.ecfs.client.read.EcfsInputStream} reads ahead of a stream. {@link io.ecfs.client.read.Hedging} knows what
 * is late, and who is slow.
 *
 * <p>Threads: the client's owner thread has the state of every span that is read, workers decode, and the reader's own
 * thread waits and copies.
 *
 * <p>What always holds: only verified bytes are used; answers own their buffers and are copied to the reader's memory
 * on the reader's own thread, so that a late answer can never write there; every buffer is released once, on success,
 * failure and cancel.
 */
package io.ecfs.client.read;
