package io.ecfs.bench;

import io.ecfs.layout.Policy;

/** One kind of work. It keeps nothing between runs. */
interface Workload {
    /** Makes ready to repeat the work under one policy: writes what will be read, warms up. */
    Session begin(Stage stage, Policy policy) throws Exception;

    /** Work under one policy, repeated. */
    interface Session {
        /** @param number 1, 2, … */
        void repeat(int number) throws Exception;

        /** Deletes what the work left behind, if repeating leaves anything; chunks may go later. */
        default void end() throws Exception {}
    }
}
