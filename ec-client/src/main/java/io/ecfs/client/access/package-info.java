/**
 * What this client knows of the costs of reading, and the plans it made with that: costs measured of each volume, plans
 * cached and used again, exact ones made in the background. Which chunks of a span there are to choose from is known to
 * {@code io.ecfs.client.read.span}; the cost model is {@code io.ecfs.plan}. Everything is owned by the client's owner
 * thread, but for the solver, which has a thread of its own and works on immutable questions.
 */
package io.ecfs.client.access;
