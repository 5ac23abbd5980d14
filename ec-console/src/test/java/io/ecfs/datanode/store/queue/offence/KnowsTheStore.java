package io.ecfs.datanode.store.queue.offence;

import io.ecfs.datanode.store.io.VolumeFullException;

/** Reaches from the queue of a volume to its files. */
public final class KnowsTheStore {
    static boolean isFull(Exception failure) {
        return failure instanceof VolumeFullException;
    }
}
