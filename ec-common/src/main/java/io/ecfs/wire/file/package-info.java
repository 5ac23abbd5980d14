/**
 * Open files passed between two processes of one machine, over a socket of the file system:
 * {@link io.ecfs.wire.file.FileSocket} sends them, {@link io.ecfs.wire.file.FileReceiver} receives them. Linux with
 * epoll only. The receiver closes the file.
 */
package io.ecfs.wire.file;
