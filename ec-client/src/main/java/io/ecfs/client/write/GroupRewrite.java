package io.ecfs.client.write;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.BudgetWait;
import io.ecfs.client.read.span.SpanBytes;
import io.ecfs.client.write.stripe.Stripe;
import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.LocatedGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Reads a group back, stripe by stripe, that can be read but has too few chunks to be acknowledged, so that its bytes
 * can go to a fresh group. Stripes come out sealed, the tail last. Owned by the client's owner thread; a client holds
 * one rewritten stripe at a time.
 */
final class GroupRewrite {
    private final WriteServices services;
    private final LocatedGroup group;
    private final Consumer<WriteEvent> events;
    private long next;

    GroupRewrite(WriteServices services, LocatedGroup group, Consumer<WriteEvent> events) {
        this.services = services;
        this.group = group;
        this.events = events;
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

    /**
     * Begins to read the next stripe; answered by {@link WriteEvent.StripeRead} or {@link WriteEvent.RewriteFailed}.
     */
    void readNext() {
        long from = next;
        long to = Math.min(group.length(), from + group.policy().stripeBytes());
        next = to;
        MemoryBudget permit = services.rewritePermit();
        BudgetWait.acquire(permit, 1, services.config().budgetWait(), services.owner(), "other rewrites")
                .whenComplete((granted, refused) -> {
                    if (refused != null) {
                        failed(refused);
                    } else {
                        services.reads().read(group, from, to).whenComplete(this::read);
                    }
                });
    }

    private void read(SpanBytes bytes, Throwable failure) {
        Stripe stripe = new Stripe(
                group.policy(),
                services.rewritePool(),
                () -> services.rewritePermit().release(1));
        if (failure != null) {
            stripe.close();
            failed(failure);
            return;
        }
        services.codecs().submit(() -> seal(stripe, bytes)).whenComplete((done, broken) -> {
            bytes.close();
            if (broken != null) {
                stripe.close();
                failed(broken);
            } else {
                events.accept(new WriteEvent.StripeRead(this, stripe));
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

    private void failed(Throwable failure) {
        events.accept(new WriteEvent.RewriteFailed(EcfsException.of(failure)));
    }
}
