package io.ecfs.datanode.server.load;

import io.ecfs.env.Clock;
import io.ecfs.message.FeatureLevel;
import io.ecfs.wire.Session;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Time of one request from its arrival on, for its answer.
 *
 * @param known whether the caller reads it
 */
public record HandlingTime(Clock clock, long beginNanos, boolean known) {
    public static HandlingTime begin(Clock clock, Session session) {
        return new HandlingTime(clock, clock.nanos(), session.featureLevel() >= FeatureLevel.HANDLING_TIMES);
    }

    /** Microseconds until now. */
    public OptionalInt micros() {
        long micros = TimeUnit.NANOSECONDS.toMicros(clock.nanos() - beginNanos);
        return known ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, micros)) : OptionalInt.empty();
    }
}
