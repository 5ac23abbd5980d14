package io.ecfs.client.read;

import io.ecfs.code.ChunkSet;
import java.util.Objects;
import java.util.Optional;

/**
 * How a span is to be read.
 *
 * @param planned chunks that a plan chose; others only take their place when those do not suffice. Empty: as a span alone is read
 * @param delta chunks more than suffice that are asked at once, as late binding does
 * @param watch is told what becomes of it
 * @param together the request for several blocks that it is a part of
 */
record ReadWay(Optional<ChunkSet> planned, int delta, SpanWatch watch, Optional<ReadsTogether> together) {
    ReadWay {
        Objects.requireNonNull(planned, "planned");
        Objects.requireNonNull(watch, "watch");
        Objects.requireNonNull(together, "together");
    }

    /** The same without a plan. */
    ReadWay unplanned() {
        return new ReadWay(Optional.empty(), delta, watch, together);
    }

    static ReadWay usual(ReadServices services) {
        return new ReadWay(Optional.empty(), services.hedging().delta(), SpanWatch.NOBODY, Optional.empty());
    }
}
