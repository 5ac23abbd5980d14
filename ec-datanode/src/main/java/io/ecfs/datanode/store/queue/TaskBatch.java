package io.ecfs.datanode.store.queue;

/** What one of a {@link VolumeQueue}'s threads does in one go. */
interface TaskBatch {
    /** It is its turn; called with the queue's lock held. */
    void taken();

    void run();

    /** The workers take no more: nobody will run this. */
    void refuse(Throwable reason);
}
