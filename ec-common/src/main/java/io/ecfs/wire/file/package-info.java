/**
 * Open files passed between two processes of one machine, over a socket of the file system:
 * {@link io.ecfs.wire.file.FileSocket} hands them out, {@link io.ecfs.wire.file.FileReceiver} takes them. Linux with
 * epoll only. Whoever receives a file closes it.
 */
package io.ecfs.wire.file;
