package io.ecfs.console.torture.fault;

/** How the cluster under torture runs. */
public enum Shape {
    /** One JVM for each daemon and each client: they can be killed and stopped by signals. */
    PROCESSES
}
