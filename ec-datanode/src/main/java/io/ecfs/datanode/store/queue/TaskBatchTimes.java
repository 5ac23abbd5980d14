package io.ecfs.datanode.store.queue;

/**
 * Summed times of a volume's task batches.
 *
 * @param batches that began
 * @param waitedNanos until it was their turn
 * @param served number of them whose first task is done
 * @param servedNanos summed run times of these first tasks
 */
public record TaskBatchTimes(long batches, long waitedNanos, long served, long servedNanos) {
    public static final TaskBatchTimes NONE = new TaskBatchTimes(0, 0, 0, 0);

    /** Times of one batch, which begins. */
    public static TaskBatchTimes waited(long nanos) {
        return new TaskBatchTimes(1, nanos, 0, 0);
    }

    /** Times of one batch, whose first task is done. */
    static TaskBatchTimes served(long nanos) {
        return new TaskBatchTimes(0, 0, 1, nanos);
    }

    public TaskBatchTimes and(TaskBatchTimes others) {
        return new TaskBatchTimes(
                batches + others.batches,
                waitedNanos + others.waitedNanos,
                served + others.served,
                servedNanos + others.servedNanos);
    }

    /** Average wait of a batch; 0 when there were none. */
    public long meanWaitNanos() {
        return batches == 0 ? 0 : waitedNanos / batches;
    }

    /** Average run time of a first task; 0 when there were none. */
    public long meanServiceNanos() {
        return served == 0 ? 0 : servedNanos / served;
    }
}
