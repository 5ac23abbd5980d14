package io.ecfs.message;

import java.util.List;
import java.util.Objects;

/** Counts of every daemon's traffic and memory, for measurements. The wire itself answers, not the daemon. */
public sealed interface Metering extends Message {

    /** Asks for the counts. Answered by {@link Counts}. */
    record ReadCounts() implements Metering {}

    /**
     * All counts of traffic grow from the start of the daemon on.
     *
     * @param pid process the daemon runs in, on its machine
     * @param flows one for each kind of caller that sent a request
     */
    record Counts(long pid, List<Flow> flows, Memory memory) implements Metering {
        public Counts {
            flows = List.copyOf(flows);
            Objects.requireNonNull(memory, "memory");
        }
    }

    /**
     * Memory of the daemon's process.
     *
     * @param heapPeakBytes since the start
     * @param directBytes taken from the system at the moment, used or retained
     * @param heldBytes of buffers that are lent, and of requests and answers under way, this one not counted: 0 when
     *     all is quiet
     */
    record Memory(long heapPeakBytes, long heapLimitBytes, long directBytes, long directLimitBytes, long heldBytes) {}

    /**
     * Traffic with one kind of caller. Only the answering side counts, so that the sum over all daemons counts each
     * byte once.
     *
     * @param requests answered
     * @param receivedBytes frames of requests, before TLS
     * @param sentBytes frames of answers, before TLS
     * @param handledNanos from the arrival of a request to its answer, summed over the requests; they overlap
     */
    record Flow(CallerKind caller, long requests, long receivedBytes, long sentBytes, long handledNanos) {
        public Flow {
            Objects.requireNonNull(caller, "caller");
        }
    }

    /** Kind of a caller, from the role in its greeting. */
    enum CallerKind {
        CLIENT,
        DATANODE,
        NAMENODE,
        OTHER;

        /** @param role as in {@link Greeting.Hello}: {@code client}, {@code datanode dn3} … */
        public static CallerKind of(String role) {
            return switch (role.split(" ", 2)[0]) {
                case "client" -> CLIENT;
                case "datanode" -> DATANODE;
                case "namenode" -> NAMENODE;
                default -> OTHER;
            };
        }
    }
}
