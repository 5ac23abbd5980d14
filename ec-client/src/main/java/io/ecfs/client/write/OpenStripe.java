package io.ecfs.client.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.error.Invariant;
import io.ecfs.stripe.Stripe;
import java.util.Optional;

/**
 * The stripe that a stream fills, between its calls. A call takes it, and it is the calling thread's until it is put
 * back or handed over. The end of the writer may come from any thread: what lies here then is released, and so is what
 * is put back later.
 */
public final class OpenStripe {
    @GuardedBy("this")
    private Optional<Stripe> stripe = Optional.empty();

    @GuardedBy("this")
    private boolean ended;

    /** The stripe, now the caller's; empty when none is open or the writer has ended. */
    public synchronized Optional<Stripe> take() {
        Optional<Stripe> taken = stripe;
        stripe = Optional.empty();
        return taken;
    }

    /** Stores a stripe for the next call. */
    public void put(Stripe filled) {
        if (!store(filled)) {
            filled.close();
        }
    }

    private synchronized boolean store(Stripe filled) {
        Invariant.check(stripe.isEmpty(), "a stream has two open stripes");
        if (!ended) {
            stripe = Optional.of(filled);
        }
        return !ended;
    }

    /** No stripe is stored from here on. A second call does nothing. */
    public void end() {
        last().ifPresent(Stripe::close);
    }

    private synchronized Optional<Stripe> last() {
        ended = true;
        return take();
    }
}
