package io.ecfs.client.write;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.BudgetWait;
import io.ecfs.client.read.span.SpanBytes;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.Stripe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a group back, stripe by stripe, that can be read but has too few chunks to be acknowledged, so that its bytes
 * can go to a fresh group. Stripes come out sealed, the tail last. Owned by the client's owner thread; a client holds
 * one rewritten stripe at a time.
 */
final class GroupRewrite {
    private final WriteServices services;
    private final LocatedGroup group;
    private long next;

    GroupRewrite(WriteServices services, LocatedGroup group) {
        this.services = services;
        this.group = group;
    }

    boolean done() {
        return next == group.length();
    }

    /** Takes the stripe that was read last back: it will be read again. */
    void unread(Stripe stripe) {
        next -= stripe.bytes();
        stripe.close();
    }

    LocatedGroup group() {
        return group;
    }

    /** Reads the next stripe, sealed; it is the caller's. */
    CompletableFuture<Stripe> readNext() {
        long from = next;
        long to = Math.min(group.length(), from + group.policy().stripeBytes());
        next = to;
        MemoryBudget permit = services.rewritePermit();
        return BudgetWait.acquire(permit, 1, services.config().budgetWait(), services.owner(), "other rewrites")
                .thenApply(granted -> new Stripe(group.policy(), services.rewritePool(), () -> permit.release(1)))
                .thenCompose(stripe -> read(stripe, from, to));
    }

    /** Closes the stripe if it cannot be read or sealed, so that its permit and its buffers go to others. */
    private CompletableFuture<Stripe> read(Stripe stripe, long from, long to) {
        return CompletableFuture.completedFuture(stripe)
                .thenCompose(empty -> services.reads().read(group, from, to))
                .thenCompose(bytes -> services.codecs()
                        .submit(() -> seal(stripe, bytes))
                        .whenComplete((whole, broken) -> bytes.close()))
                .whenComplete((whole, broken) -> {
                    if (broken != null) {
                        stripe.close();
                    }
                });
    }

    private Stripe seal(Stripe stripe, SpanBytes bytes) throws IOException {
        ByteBuffer plain = ByteBuffer.allocate(Math.toIntExact(bytes.to() - bytes.from()));
        bytes.copyTo(bytes.from(), bytes.to(), plain);
        stripe.fill(plain.flip());
        stripe.seal(services.codes().of(group.policy().code()));
        return stripe;
    }
}
