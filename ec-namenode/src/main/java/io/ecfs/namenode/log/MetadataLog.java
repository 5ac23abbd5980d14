package io.ecfs.namenode.log;

import io.ecfs.message.report.ClusterReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A replicated log of commands over a {@link ReplicatedState}. Safe for use by many threads. */
public interface MetadataLog extends AutoCloseable {

    /**
     * Appends one command and completes with what {@link ReplicatedState#apply} answered on this namenode. Commands
     * that wait together travel in one log entry. Fails with {@code NOT_LEADER} (hint: the leader's client address)
     * when this namenode does not lead: whether the command takes effect is then unknown, and the caller sends it again
     * under the same request id.
     */
    CompletableFuture<byte[]> propose(byte[] command);

    /**
     * Completes with what {@code read} returned, such that the result reflects every command acknowledged by any
     * namenode before this call (linearizable). The read runs first; then a majority confirms leadership by messages
     * from after the call. Fails with {@code NOT_LEADER} otherwise.
     */
    <T> CompletableFuture<T> read(LocalRead<T> read);

    /** A read of the local applied state; quick, without side effects. */
    interface LocalRead<T> {
        T run() throws Exception;
    }

    /** Identity of this log; empty for one that was not formatted, whose first leader draws the cluster's id. */
    default Optional<LogIdentity> identity() {
        return Optional.empty();
    }

    Leadership leadership();

    /** Adds a listener, which receives the present role and every change of role or term, in order, on one thread. */
    void onLeadership(LeadershipListener listener);

    interface LeadershipListener {
        void leadership(Leadership now);
    }

    /**
     * @param term of the log, growing
     * @param leading true only when this namenode leads and has applied everything that was committed before its term
     * @param leader id of the namenode believed to lead
     */
    record Leadership(long term, boolean leading, Optional<String> leader) {}

    /** All namenodes as far as this one knows; an unreachable one has applied index -1. */
    List<Member> members();

    record Member(String id, ClusterReport.Role role, long term, long appliedIndex) {}

    @Override
    void close();
}
