/**
 * The device below a staged volume: what of it is not on disk yet, in which order its directories are synced, and the
 * files of its own that the volume has there ({@link io.ecfs.datanode.store.ring.device.StagingArea}).
 *
 * <p>Any of the volume's threads. What must always hold: a file that is renamed has one of its two names after a loss
 * of power.
 */
package io.ecfs.datanode.store.ring.device;
