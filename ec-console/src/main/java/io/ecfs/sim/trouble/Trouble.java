package io.ecfs.sim.trouble;

import java.util.Map;

/** Troubles of a simulated world. */
public interface Trouble {
    void start();

    /** To be called after every event. */
    void afterEach();

    /** No more of it, and everybody is there. */
    void healAll();

    /** Count of each trouble. */
    Map<String, Integer> troubles();
}
