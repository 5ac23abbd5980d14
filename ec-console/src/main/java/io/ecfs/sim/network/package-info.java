/**
 * The network of a simulation: requests and answers between processes, which arrive late, out of order or never, as the
 * {@link io.ecfs.sim.network.NetworkWeather} and the cuts say. What is sent passes through the codec of the real wire.
 * One thread.
 */
package io.ecfs.sim.network;
