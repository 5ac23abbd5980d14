package io.ecfs.client.read;

import io.ecfs.layout.GroupLayout;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.concurrent.CompletableFuture;

/** Reads a stretch of one group whose locations are at hand. */
public final class GroupReader {
    private GroupReader() {}

    /**
     * Group bytes [from, to), which must lie in one stripe. The caller has seen to the memory.
     *
     * @return verified bytes, owned by whoever takes them; fails with {@code GROUP_UNREADABLE}
     */
    public static CompletableFuture<SpanBytes> read(ReadServices services, LocatedGroup group, long from, long to) {
        Span span = new Span(new GroupLayout(group.policy(), group.length()), from, to);
        return new SpanRead(services, group, span, ReadStrategy.usual(services), LocationRefresher.AS_KNOWN).start();
    }
}
