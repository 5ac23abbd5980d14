package io.ecfs.fault.inject;

import java.io.IOException;

/** Takes a fault back. What it hurt may need time after that. */
public interface Undo {
    /** Of faults that leave nothing behind but damage, which the cluster heals. */
    Undo NOTHING = () -> {};

    void run() throws IOException, InterruptedException;
}
