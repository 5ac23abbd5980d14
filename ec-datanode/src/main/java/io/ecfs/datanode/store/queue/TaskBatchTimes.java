package io.ecfs.datanode.store.queue;

/**
 * How long visits of a volume took, added up.
 *
 * @param batches that began
 * @param waitedNanos until it was their turn
 * @param served of them, those whose first piece is done
 * @param servedNanos that these first pieces ran
 */
public record TaskBatchTimes(long batches, long waitedNanos, long served, long servedNanos) {
    public static final TaskBatchTimes NONE = new TaskBatchTimes(0, 0, 0, 0);

    /** Of one visit, which begins. */
    public static TaskBatchTimes waited(long nanos) {
        return new TaskBatchTimes(1, nanos, 0, 0);
    }

    /** Of one visit, whose first piece is done. */
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

    /** On average; 0 when there were none. */
    public long meanWaitNanos() {
        return batches == 0 ? 0 : waitedNanos / batches;
    }

    /** Of a first piece, on average; 0 when there were none. */
    public long meanServiceNanos() {
        return served == 0 ? 0 : servedNanos / served;
    }
}
