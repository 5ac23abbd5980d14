/** Faults of processes: daemons and clients are killed or stopped by signals, their files stay. One thread. */
package io.ecfs.torture.fault.process;
