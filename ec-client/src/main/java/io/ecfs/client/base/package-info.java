/** Foundations of reads and writes: the bounds of a client, waiting for memory, and calls to the leading namenode. */
package io.ecfs.client.base;
