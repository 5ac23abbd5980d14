package io.ecfs.namenode.rpc;

import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.health.UnderReplicationFeed;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.log.MetadataLog.Leadership;
import io.ecfs.namenode.log.MetadataLog.LocalRead;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.wire.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Executes queries: as a linearizable read of the facts on a worker, as an answer of the leader on the event thread, or
 * as that after a majority confirmed the leader. Safe for use by any thread.
 */
final class QueryExecutor {
    private final Members members;
    private final MetadataLog log;
    private final MetadataState state;
    private final Scheduler scheduler;
    private final Workers readers;
    private final UnderReplicationFeed feed;
    private final Supplier<Optional<Leader>> leader;

    /** @param leader read on the event thread alone */
    QueryExecutor(
            Members members,
            MetadataLog log,
            MetadataState state,
            Scheduler scheduler,
            Workers readers,
            UnderReplicationFeed feed,
            Supplier<Optional<Leader>> leader) {
        this.members = members;
        this.log = log;
        this.state = state;
        this.scheduler = scheduler;
        this.readers = readers;
        this.feed = feed;
        this.leader = leader;
    }

    /** Computes a reply from the facts. */
    interface FactsRead {
        NamespaceReply run(MetadataView view) throws EcfsException;
    }

    CompletableFuture<NamespaceReply> facts(FactsRead read) {
        return confirmed(() -> {
            try (MetadataView view = state.view()) {
                return read.run(view);
            }
        });
    }

    /** Reads something from the namespace. */
    interface NamespaceRead<T> {
        T run(NamespaceView namespace) throws EcfsException;
    }

    <T> CompletableFuture<T> namespace(NamespaceRead<T> read) {
        return confirmed(() -> {
            try (MetadataView view = state.view()) {
                return read.run(view.namespace());
            }
        });
    }

    /** Computes a reply on the event thread from what was read. */
    interface EventThreadReply<T> {
        NamespaceReply of(T found) throws EcfsException;
    }

    /** Reads from the namespace, then computes the reply on the event thread, which knows where chunks are. */
    <T> CompletableFuture<NamespaceReply> namespace(NamespaceRead<T> read, EventThreadReply<? super T> reply) {
        return namespace(read).thenCompose(found -> onEventThread(() -> completed(() -> reply.of(found))));
    }

    /** Runs a linearizable read, away from the event thread. */
    <T> CompletableFuture<T> confirmed(LocalRead<T> read) {
        return readers.submit(() -> log.read(read)).thenCompose(result -> result);
    }

    /** Runs a read of this namenode's own files, away from the event thread, at any namenode. */
    CompletableFuture<NamespaceReply> byWorker(LocalRead<NamespaceReply> read) {
        return readers.submit(read::run);
    }

    /** Acts at the leader. */
    interface AtLeader {
        CompletableFuture<NamespaceReply> run(Leader leading);
    }

    CompletableFuture<NamespaceReply> atLeader(AtLeader action) {
        return onEventThread(
                () -> leader.get().map(action::run).orElseGet(() -> CompletableFuture.failedFuture(notLeader())));
    }

    /** Computes a reply from the leader's state. */
    interface LeaderAnswer {
        NamespaceReply get(Leader leading) throws EcfsException;
    }

    /** Answers from the leader's state, without asking the other namenodes. */
    CompletableFuture<NamespaceReply> byLeader(LeaderAnswer answer) {
        return atLeader(leading -> {
            feed.drainChanges();
            return completed(() -> answer.get(leading));
        });
    }

    /** As {@link #byLeader}, after a majority confirmed the leader: a deposed one that does not know it fails. */
    CompletableFuture<NamespaceReply> confirmedByLeader(LeaderAnswer answer) {
        return confirmed(() -> true).thenCompose(yes -> byLeader(answer));
    }

    private interface Computation {
        NamespaceReply run() throws EcfsException;
    }

    private static CompletableFuture<NamespaceReply> completed(Computation computation) {
        try {
            return CompletableFuture.completedFuture(computation.run());
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private EcfsException notLeader() {
        Leadership now = log.leadership();
        Optional<Address> address =
                now.leader().filter(id -> !id.equals(members.id())).map(members.addresses()::get);
        String where = address.map(a -> "namenode " + now.leader().orElseThrow() + " at " + a + " does")
                .orElse("no leader is known at the moment: try again");
        return new EcfsException(
                ErrorCode.NOT_LEADER,
                "namenode " + members.id() + " does not lead; " + where,
                address.map(Address::toString).orElse(""),
                null);
    }

    <T> CompletableFuture<T> onEventThread(Supplier<CompletableFuture<T>> action) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        scheduler.execute(() -> {
            try {
                Futures.forward(action.get(), answer);
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
                throw e;
            }
        });
        return answer;
    }
}
