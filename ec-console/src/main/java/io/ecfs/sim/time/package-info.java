/**
 * Virtual time and the processes that live in it: {@link io.ecfs.sim.time.VirtualTime} runs one event after the other,
 * each of them in the {@link io.ecfs.sim.time.EventTrace}; a {@link io.ecfs.sim.time.SimProcess} has an environment of
 * its own (clock, scheduler, workers, randomness), and nothing of it runs after it was killed. One thread.
 */
package io.ecfs.sim.time;
