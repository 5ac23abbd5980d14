/**
 * Volumes of rings in a simulated world: a disk in memory with its journal on a second one, and what the ports to both
 * must keep. Each call is compared with a model of the files, so is what a start finds after a crash.
 */
package io.ecfs.sim.ring;
