package io.ecfs.datanode.store.queue;

/** Tasks that one of a {@link VolumeQueue}'s threads runs in one turn. */
interface TaskBatch {
    /** Marks it begun; the caller has locked the queue. */
    void taken();

    void run();

    /** Fails the tasks, since the workers take no more. */
    void refuse(Throwable reason);
}
