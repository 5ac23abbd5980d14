/** Runs the simulation over many seeds, and shows that it replays and that it can fail. */
package io.ecfs.sim;
