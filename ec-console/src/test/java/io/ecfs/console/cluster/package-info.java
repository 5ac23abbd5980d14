/**
 * Whole clusters with the real parts: daemons in this process or in processes of their own, over loopback, on disk.
 * Each test says what an operator may rely on. Few and slow beside the simulation, which goes through many more orders
 * of events.
 */
package io.ecfs.console.cluster;
