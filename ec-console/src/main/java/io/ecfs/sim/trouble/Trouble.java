package io.ecfs.sim.trouble;

import java.util.Map;

/** Troubles of a simulated world. */
public interface Trouble {
    void start();

    /** To be called after every event. */
    void afterEach();

    /** Whether what it is about has happened; until then it may take longer than other trouble. */
    default boolean happened() {
        return true;
    }

    /** No more of it, and everybody is there. */
    void healAll();

    /** Count of each trouble. */
    Map<String, Integer> troubles();
}
