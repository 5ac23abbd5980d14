/**
 * Files that are open for reading: {@link io.ecfs.client.read.stream.FileReaders} opens them,
 * {@link io.ecfs.client.read.stream.FileReader} reads at positions, and
 * {@link io.ecfs.client.read.stream.EcfsInputStream} reads ahead of a position.
 *
 * <p>Threads: the user's thread waits and copies; a stream is for one thread at a time.
 *
 * <p>Invariants: bytes are copied to the user's memory on the user's thread; memory of read-ahead comes from a budget
 * for which no read waits; the window and its buffers are released when the stream is closed or unbuffered.
 */
package io.ecfs.client.read.stream;
