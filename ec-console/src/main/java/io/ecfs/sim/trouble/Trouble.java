package io.ecfs.sim.trouble;

import java.util.Map;

/** What a world has to endure. */
public interface Trouble {
    void start();

    /** To be called after every event. */
    void afterEach();

    /** No more of it, and everybody is there. */
    void healAll();

    /** How often each trouble came. */
    Map<String, Integer> troubles();
}
