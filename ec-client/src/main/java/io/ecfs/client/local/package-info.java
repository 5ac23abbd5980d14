/**
 * Chunks on the client's own machine, read from their files instead of over the network (HDFS calls it short-circuit reads). The
 * datanode checks the token before it says where they are; whether they can be opened is up to their permissions.
 */
package io.ecfs.client.local;
