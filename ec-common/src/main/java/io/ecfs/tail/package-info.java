/**
 * Recoverable state of a group that is still open, from its chunks: its length, and the bytes of the last, partial
 * stripe, from tail records. Used by recovery (namenode), by the completion of chunks (datanode) and by readers
 * (client), which must come to the same result.
 */
package io.ecfs.tail;
