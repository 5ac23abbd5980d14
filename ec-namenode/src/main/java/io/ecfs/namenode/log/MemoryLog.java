package io.ecfs.namenode.log;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One member's end of a {@link MemoryQuorum}. */
final class MemoryLog implements MetadataLog {
    private final MemoryQuorum quorum;
    private final String id;

    MemoryLog(MemoryQuorum quorum, String id) {
        this.quorum = quorum;
        this.id = id;
    }

    @Override
    public CompletableFuture<byte[]> propose(byte[] command) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        quorum.propose(id, command, answer);
        return answer;
    }

    @Override
    public <T> CompletableFuture<T> read(LocalRead<T> read) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        quorum.read(id, read, answer);
        return answer;
    }

    @Override
    public Leadership leadership() {
        return quorum.leadership(id);
    }

    @Override
    public void onLeadership(LeadershipListener listener) {
        quorum.listen(id, listener);
    }

    @Override
    public List<Member> members() {
        return quorum.members();
    }

    @Override
    public void close() {
        quorum.leave(id);
    }
}
