/**
 * Layout of bytes: the ids of groups and chunks, policies, and the arithmetic from file offsets to cells. Pure
 * functions over {@code long} with exact arithmetic and half-open ranges; nothing here does I/O or knows the network.
 */
package io.ecfs.layout;
