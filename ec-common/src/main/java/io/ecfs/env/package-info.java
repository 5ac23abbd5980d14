/**
 * Ports of a component to its environment: time, randomness, threads. Everything that decides takes these by
 * constructor, so that a whole control plane runs in one thread, on virtual time, from one seed. The real adapters are
 * in {@code io.ecfs.env.real}; the simulation has its own. Nothing else reads clocks, draws random numbers or starts
 * threads.
 */
package io.ecfs.env;
