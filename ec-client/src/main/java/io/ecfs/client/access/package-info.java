/**
 * Costs of reading and the plans made with them: costs measured for each volume, a cache of plans, exact plans made in
 * the background. {@code io.ecfs.client.read.span} has the candidate chunks of a span; the cost model is
 * {@code io.ecfs.plan}. Owned by the client's owner thread, except the solver, which has its own thread and works on
 * immutable input.
 */
package io.ecfs.client.access;
