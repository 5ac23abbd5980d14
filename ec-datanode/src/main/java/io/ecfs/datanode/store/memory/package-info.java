/**
 * {@link io.ecfs.datanode.store.io.VolumeIo} in memory, with the bad habits of real disks at the caller's command:
 * writes lost or torn by a power failure, flipped bits, no space, I/O errors. For simulations, crash tests and fault
 * experiments.
 */
package io.ecfs.datanode.store.memory;
