package io.ecfs.datanode.server;

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
record HandlingTime(Clock clock, long beginNanos, boolean known) {
    static HandlingTime begin(Clock clock, Session session) {
        return new HandlingTime(clock, clock.nanos(), session.featureLevel() >= FeatureLevel.HANDLING_TIMES);
    }

    /** Microseconds until now. */
    OptionalInt micros() {
        long micros = TimeUnit.NANOSECONDS.toMicros(clock.nanos() - beginNanos);
        return known ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, micros)) : OptionalInt.empty();
    }
}
