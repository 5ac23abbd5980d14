package io.ecfs.wire.server;

import io.ecfs.message.Metering.CallerKind;
import io.ecfs.message.Metering.Flow;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Traffic of one server by kind of caller. Connections count, any thread reads. */
final class Traffic {
    private final Map<CallerKind, Counters> byKind;

    /** Counts of one kind of caller; a connection refers to those of its peer. */
    static final class Counters {
        private final LongAdder requests = new LongAdder();
        private final LongAdder receivedBytes = new LongAdder();
        private final LongAdder sentBytes = new LongAdder();
        private final LongAdder handledNanos = new LongAdder();

        void received(long bytes) {
            receivedBytes.add(bytes);
        }

        /** @param nanos since the request arrived */
        void answered(long bytes, long nanos) {
            requests.increment();
            sentBytes.add(bytes);
            handledNanos.add(nanos);
        }

        long bytes() {
            return receivedBytes.sum() + sentBytes.sum();
        }

        private Flow flow(CallerKind kind) {
            return new Flow(kind, requests.sum(), receivedBytes.sum(), sentBytes.sum(), handledNanos.sum());
        }
    }

    Traffic() {
        Map<CallerKind, Counters> all = new EnumMap<>(CallerKind.class);
        for (CallerKind kind : CallerKind.values()) {
            all.put(kind, new Counters());
        }
        byKind = Collections.unmodifiableMap(all);
    }

    Counters of(CallerKind kind) {
        return byKind.get(kind);
    }

    /** Counts of the kinds of callers that sent requests. */
    List<Flow> flows() {
        return byKind.entrySet().stream()
                .map(entry -> entry.getValue().flow(entry.getKey()))
                .filter(flow -> flow.receivedBytes() > 0)
                .toList();
    }
}
