/**
 * What reading and writing stand on: the bounds of a client, waiting for memory and for answers, and the way to the
 * leading namenode.
 */
package io.ecfs.client.base;
