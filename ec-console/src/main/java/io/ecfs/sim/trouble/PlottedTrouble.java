package io.ecfs.sim.trouble;

import io.ecfs.message.Message;

/** Trouble that follows from what is on its way. */
public interface PlottedTrouble extends Trouble {
    /** To be called with every message when it is sent. */
    void see(Message message);
}
