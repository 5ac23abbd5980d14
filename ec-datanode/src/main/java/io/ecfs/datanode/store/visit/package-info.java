/**
 * Reads of one chunk that came together and share an access of the disk. On the volume's threads, in the chunk's order;
 * what is read for several has one buffer, which is released when the last of them has ended.
 */
package io.ecfs.datanode.store.visit;
