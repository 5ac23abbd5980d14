/**
 * Which chunks of which places to read for several blocks at once: the cost model of the EC-Store paper (section IV.B),
 * the greedy plan (section V.B) and what they speak of. Readers choose what they read by it; the namenode's mover
 * prices pairs of blocks by the same equation in a way of its own, which is faster for two. Pure: no clock, no network,
 * no state; any thread may ask, and the same question has the same answer.
 */
package io.ecfs.plan;
