package io.ecfs.message.ring;

import io.ecfs.layout.Ring;

/**
 * What an event says of a ring before or after a change.
 *
 * @param adaptive whether the leader chooses the writers by demand
 * @param paused as in {@link RingClock}
 * @param dropping as in {@link RingState}
 */
public record RingSettings(
        int colours, int writers, boolean adaptive, long periodMillis, boolean paused, boolean dropping) {
    public RingSettings {
        Ring shape = new Ring(colours, writers);
        if (periodMillis < 1) {
            throw new IllegalArgumentException(shape + " has a period of " + periodMillis + " ms");
        }
    }
}
