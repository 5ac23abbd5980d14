package io.ecfs.client.read;

import io.ecfs.layout.GroupLayout;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.concurrent.CompletableFuture;

/** Reads stretches of groups whose locations are known and do not change. Safe for use by several threads. */
public final class GroupReader {
    private final SpanReads reads;
    private final ReadStrategy strategy;

    /** @param delta chunks that each read requests beyond those that suffice */
    public GroupReader(SpanReads reads, int delta) {
        this.reads = reads;
        this.strategy = ReadStrategy.single(delta);
    }

    /**
     * Reads group bytes [from, to), which must lie in one stripe. The caller has reserved the memory.
     *
     * @return verified bytes, owned by the caller; fails with {@code GROUP_UNREADABLE}
     */
    public CompletableFuture<SpanBytes> read(LocatedGroup group, long from, long to) {
        GroupLayout layout = new GroupLayout(group.policy(), group.length());
        return reads.read(group, layout, from, to, strategy, LocationRefresher.AS_KNOWN);
    }
}
