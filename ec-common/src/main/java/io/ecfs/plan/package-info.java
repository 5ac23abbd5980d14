/**
 * Choice of chunks to read for several blocks at once: the cost model of the EC-Store paper (section IV.B), the greedy
 * plan (section V.B) and their types. Readers choose chunks by it; the namenode's mover computes costs of pairs of
 * blocks by the same equation with faster code of its own. Pure: no clock, no network, no state; for any thread, and
 * deterministic.
 */
package io.ecfs.plan;
