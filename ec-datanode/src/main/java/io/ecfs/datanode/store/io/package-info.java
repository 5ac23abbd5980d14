/**
 * {@link io.ecfs.datanode.store.io.VolumeIo}, the one port to a volume's files, and the ways in which a disk fails. Its
 * adapters are {@code store.disk} and {@code store.memory}. Blocking; called on the volume's threads.
 */
package io.ecfs.datanode.store.io;
