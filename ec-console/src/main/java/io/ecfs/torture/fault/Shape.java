package io.ecfs.torture.fault;

/** Processes of the cluster under torture. */
public enum Shape {
    /** One JVM for each daemon and each client: they can be killed and stopped by signals. */
    PROCESSES,
    /** All in one process, datanodes on disks in memory: their disks, clocks and links can be made to fail. */
    ONE
}
