/**
 * Volumes of a ring, whose changes are staged in a journal on another device while the volume only reads (eRails).
 * {@link io.ecfs.datanode.store.ring.StagedVolumeIo} decorates a volume's port; {@link
 * io.ecfs.datanode.store.ring.journal.Journal} has the staged changes and their bytes, {@link
 * io.ecfs.datanode.store.ring.Overlay} the files as they will be, {@link io.ecfs.datanode.store.ring.Drain} carries
 * them to the device, {@link io.ecfs.datanode.store.ring.turn.VolumeTurns} says when; {@code device} is what the volume
 * has for itself there.
 *
 * <p>Calls come on the volume's threads. What must always hold: an acknowledged change is in the journal or on the
 * device; a synced one is synced there; roles decide nothing but speed.
 */
package io.ecfs.datanode.store.ring;
