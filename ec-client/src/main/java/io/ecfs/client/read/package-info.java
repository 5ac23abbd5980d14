/**
 * Reading files: {@link io.ecfs.client.read.FileReader} maps file ranges to spans of groups, {@link io.ecfs.client.read.SpanRead}
 * gets the bytes of one span, by decode where chunks fail, {@link io.ecfs.client.read.EcfsInputStream} reads ahead of a stream.
 *
 * <p>What always holds: only verified bytes are used; answers own their buffers and are copied to the reader's memory on the
 * reader's own thread, so that a late answer can never write there; every buffer is released once, on success, failure and cancel.
 */
package io.ecfs.client.read;
