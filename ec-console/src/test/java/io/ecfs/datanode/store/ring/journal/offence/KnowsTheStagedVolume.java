package io.ecfs.datanode.store.ring.journal.offence;

import io.ecfs.datanode.store.ring.VolumeRole;

/** Depends on the volume whose changes a journal has. */
public final class KnowsTheStagedVolume {
    static boolean writes(VolumeRole role) {
        return role.slowsReads();
    }
}
