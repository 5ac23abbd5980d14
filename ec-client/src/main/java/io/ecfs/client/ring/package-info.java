/**
 * Which volumes of rings write now, by this client's knowledge: from the namenode, counted on by the monotonic clock,
 * and from what datanodes answer. Roles decide nothing but which chunks are read first. Any thread.
 */
package io.ecfs.client.ring;
