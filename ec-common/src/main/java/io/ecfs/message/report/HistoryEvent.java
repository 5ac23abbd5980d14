package io.ecfs.message.report;

import java.util.Objects;

/**
 * An event with its place in the history.
 *
 * @param number grows by one with every event, from 1
 * @param atMillis milliseconds since the epoch, by the clock of the leader of that time
 * @param incident it belongs to; 0: none
 */
public record HistoryEvent(long number, long atMillis, long incident, ClusterEvent event) {
    public HistoryEvent {
        Objects.requireNonNull(event, "event");
    }
}
