package io.ecfs.client.write;

import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.write.ChunkSetWriter;
import io.ecfs.stripe.write.WriteToken;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the tokens of the groups of one file that are written, or may not be on disk yet. Owned by the client's owner
 * thread.
 */
final class TokenRenewals {
    private static final Logger LOG = LoggerFactory.getLogger(TokenRenewals.class);

    /** Asked for at once; the others are due the next time. */
    private static final int TOGETHER = 64;

    private final Scheduler owner;
    private final Function<GroupId, CompletableFuture<LocatedGroup>> namenode;

    /** @param namenode gives a group that is written with other tokens */
    TokenRenewals(Scheduler owner, Function<GroupId, CompletableFuture<LocatedGroup>> namenode) {
        this.owner = owner;
        this.namenode = namenode;
    }

    /** Asks for those that are due. */
    void renew(Stream<ChunkSetWriter> groups) {
        groups.filter(group -> group.token().due()).limit(TOGETHER).toList().forEach(this::renew);
    }

    private void renew(ChunkSetWriter group) {
        WriteToken token = group.token();
        GroupId id = group.located().group();
        token.asked();
        namenode.apply(id)
                .whenComplete((other, failure) -> owner.execute(() -> {
                    if (failure == null) {
                        token.renewed(other);
                    } else {
                        token.notRenewed();
                        LOG.warn(
                                "event=token_not_renewed group={} until={} reason=\"{}\"",
                                id,
                                token.now().expiresAtMillis(),
                                EcfsException.of(failure).getMessage());
                    }
                }));
    }
}
