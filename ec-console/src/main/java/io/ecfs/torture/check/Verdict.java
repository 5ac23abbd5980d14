package io.ecfs.torture.check;

import io.ecfs.torture.history.Call;
import java.util.List;

/** Result of a check of a history. */
public sealed interface Verdict {
    /** One order explains all answers. */
    record Linearizable() implements Verdict {}

    /**
     * No order explains all answers.
     *
     * @param calls that contradict each other
     * @param stuck of these: one of them must come next after the longest order that was found, and none can
     */
    record Impossible(List<Call> calls, List<Call> stuck) implements Verdict {
        public Impossible {
            calls = List.copyOf(calls);
            stuck = List.copyOf(stuck);
        }
    }

    /** The bound was reached before an order was found or excluded. */
    record Undecided(int calls, long configurations) implements Verdict {}
}
