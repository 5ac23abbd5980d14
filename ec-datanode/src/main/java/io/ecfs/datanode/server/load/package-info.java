/**
 * What a datanode measures of its own work: bytes that it serves, its load as namenodes get it, and the time that a
 * request spent here, for its answer.
 *
 * <p>Counters are for any thread, the meter for the control plane's. What must always hold: counters only grow.
 */
package io.ecfs.datanode.server.load;
