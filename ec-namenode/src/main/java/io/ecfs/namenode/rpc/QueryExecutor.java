package io.ecfs.namenode.rpc;

import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.health.LedgerFeed;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.log.MetadataLog.Leadership;
import io.ecfs.namenode.log.MetadataLog.LocalRead;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The ways to answer a query: a linearizable read of the facts on a worker, an answer of the leader on the event
 * thread, or that after a majority confirmed the leader. Safe for use by any thread.
 *
 * @param leader read on the event thread alone
 */
record QueryExecutor(
        Members members,
        MetadataLog log,
        MetadataState state,
        Scheduler scheduler,
        Workers readers,
        LedgerFeed feed,
        Supplier<Optional<Leader>> leader) {

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

    interface NamespaceRead {
        NamespaceReply run(NamespaceView namespace) throws EcfsException;
    }

    CompletableFuture<NamespaceReply> namespace(NamespaceRead read) {
        return confirmed(() -> {
            try (MetadataView view = state.view()) {
                return read.run(view.namespace());
            }
        });
    }

    /** A linearizable read, away from the event thread. */
    <T> CompletableFuture<T> confirmed(LocalRead<T> read) {
        return readers.submit(() -> log.read(read)).thenCompose(result -> result);
    }

    interface AtLeader {
        CompletableFuture<NamespaceReply> run(Leader leading);
    }

    CompletableFuture<NamespaceReply> atLeader(AtLeader action) {
        return onEventThread(
                () -> leader.get().map(action::run).orElseGet(() -> CompletableFuture.failedFuture(notLeader())));
    }

    interface LeaderAnswer {
        NamespaceReply get(Leader leading) throws EcfsException;
    }

    /** An answer that the leader has at hand. */
    CompletableFuture<NamespaceReply> byLeader(LeaderAnswer answer) {
        return atLeader(leading -> {
            feed.drainChanges();
            try {
                return CompletableFuture.completedFuture(answer.get(leading));
            } catch (EcfsException e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    /** The same after a majority confirmed the leader: one that was deposed without knowing it does not answer. */
    CompletableFuture<NamespaceReply> confirmedByLeader(LeaderAnswer answer) {
        return confirmed(() -> true).thenCompose(yes -> byLeader(answer));
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
                CompletableFuture<?> unused = action.get().whenComplete((value, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(Proposer.cause(failure));
                    } else {
                        answer.complete(value);
                    }
                });
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
                throw e;
            }
        });
        return answer;
    }
}
