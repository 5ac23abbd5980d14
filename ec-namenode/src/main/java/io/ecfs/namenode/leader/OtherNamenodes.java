package io.ecfs.namenode.leader;

import io.ecfs.message.namespace.NamespaceReply.NamenodeState;
import io.ecfs.message.namespace.NamespaceRequest.GetNamenodeState;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.wire.Futures;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Polls the other namenodes for the leader: for the hash of their facts after an entry, and for the feature level that
 * their releases read. Owner thread: the namenode's event thread.
 */
public final class OtherNamenodes {
    /** A healthy follower applies within this what the leader has applied. */
    private static final Duration CATCHING_UP = Duration.ofMillis(200);

    private static final int ATTEMPTS = 5;

    private final Members members;
    private final NamenodeContext context;
    private final MetadataState state;
    /** The highest feature level that each namenode's release reads; of those that have answered. */
    private final TreeMap<String, Integer> releases = new TreeMap<>();

    OtherNamenodes(Members members, NamenodeContext context, MetadataState state) {
        this.members = members;
        this.context = context;
        this.state = state;
        releases.put(members.id(), state.codec().level());
    }

    List<String> ids() {
        return members.addresses().keySet().stream()
                .filter(id -> !id.equals(members.id()))
                .toList();
    }

    /** The level in force, and the levels that the releases of the namenodes read, of those that have answered. */
    public ClusterReport.Levels levels() {
        return new ClusterReport.Levels(state.levelInForce(), releases);
    }

    /** Completes on the event thread, when the other one has applied the entry or after a few attempts. */
    CompletableFuture<NamenodeState> ask(String namenode, long index) {
        CompletableFuture<NamenodeState> answer = new CompletableFuture<>();
        ask(namenode, index, ATTEMPTS, answer);
        return answer;
    }

    private void ask(String namenode, long index, int attempts, CompletableFuture<NamenodeState> answer) {
        var unused = members.peers()
                .ask(namenode, new GetNamenodeState(index))
                .whenComplete((found, failure) -> context.scheduler().execute(() -> {
                    if (failure != null) {
                        answer.completeExceptionally(Futures.cause(failure));
                        return;
                    }
                    releases.put(namenode, found.releaseLevel());
                    if (found.appliedIndex() < index && attempts > 1) {
                        context.scheduler().schedule(CATCHING_UP, () -> ask(namenode, index, attempts - 1, answer));
                    } else {
                        answer.complete(found);
                    }
                }));
    }
}
