/**
 * Chunks on the client's own machine, read from their files instead of over the network (HDFS calls it short-circuit
 * reads). The datanode checks the token before it says where they are. Processes of its own user open them by name;
 * others get them open from its socket, where it has one.
 *
 * <p>Threads: any may ask; files are opened and read on workers of its own. What always holds: only verified bytes are
 * given, what cannot be read here is read over the network, and no more files are open than are configured.
 */
package io.ecfs.client.local;
