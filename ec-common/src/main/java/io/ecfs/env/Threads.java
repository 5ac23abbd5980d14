package io.ecfs.env;

/** Source of threads. Names show in thread dumps and logs. The caller closes what it was given. */
public interface Threads {
    /** A new thread of its own for one component. */
    Scheduler scheduler(String name);

    /**
     * @param threads how many run at once, at least 1
     * @param queueBound how many more may wait, at least 1
     */
    Workers workers(String name, int threads, int queueBound);
}
