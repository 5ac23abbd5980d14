package io.ecfs.client.write;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.ChunkSetWriter;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of one file whose bytes must be written again before anything new, newest first: the group that took a
 * rewrite's stripes may itself need one. At most one stripe is read at a time, and at most one is at hand. Owned by the
 * client's owner thread.
 */
final class GroupRewrites {
    /** Rewrites begun by one writer; then it fails, because its cluster fails faster than it can copy. */
    private static final int MOST = 3;

    private static final Logger LOG = LoggerFactory.getLogger(GroupRewrites.class);

    private final WriteServices services;
    private final FilePath path;
    private final Consumer<WriteEvent> events;
    private final ArrayDeque<GroupRewrite> sources = new ArrayDeque<>();
    private Optional<Stripe> atHand = Optional.empty();
    private boolean reading;
    private int begun;

    GroupRewrites(WriteServices services, FilePath path, Consumer<WriteEvent> events) {
        this.services = services;
        this.path = path;
        this.events = events;
    }

    /** Returns whether bytes of a rewrite are still to be written. */
    boolean pending() {
        return atHand.isPresent() || !sources.isEmpty();
    }

    /**
     * Begins with another group; what is at hand of the one before is read again later.
     *
     * @return why that cannot be
     */
    Optional<String> begin(ChunkSetWriter broken) {
        LocatedGroup readable = broken.readable();
        ChunkSet left = ChunkSet.of(readable.chunks().stream()
                .map(location -> location.chunk().index())
                .toList());
        if (!readable.policy().code().decodable(left)) {
            return Optional.of("it cannot be read any more");
        }
        if (begun == MOST) {
            return Optional.of("copying it to others failed " + MOST + " times");
        }
        LOG.warn(
                "event=group_rescue path={} group={} left={} required=\"{}\" failed=\"{}\"",
                path,
                readable.group(),
                left.size(),
                broken.chunks().required(),
                broken.chunks().failures());
        begun++;
        atHand.ifPresent(stripe -> sources.element().unread(stripe));
        atHand = Optional.empty();
        sources.addFirst(new GroupRewrite(services, readable));
        return Optional.empty();
    }

    boolean atHand() {
        return atHand.isPresent();
    }

    /** The stripe at hand; it is the caller's from here on. */
    Stripe take() {
        Stripe stripe = atHand.orElseThrow();
        atHand = Optional.empty();
        return stripe;
    }

    /**
     * Begins to read the next stripe, answered by {@link WriteEvent.StripeRead} or {@link WriteEvent.RewriteFailed}.
     *
     * @return true when there was none: the group is through
     */
    boolean readOn() {
        if (reading) {
            return false;
        }
        GroupRewrite source = sources.element();
        if (source.done()) {
            LOG.info(
                    "event=group_rescued path={} group={}", path, source.group().group());
            sources.remove();
            return true;
        }
        reading = true;
        source.readNext()
                .whenComplete((stripe, failure) -> events.accept(
                        failure == null
                                ? new WriteEvent.StripeRead(source, stripe)
                                : new WriteEvent.RewriteFailed(EcfsException.of(failure))));
        return false;
    }

    /** Takes the stripe that was read; one that is not next any more goes back. */
    void arrived(GroupRewrite source, Stripe stripe) {
        reading = false;
        if (source == sources.peek()) {
            atHand = Optional.of(stripe);
        } else {
            source.unread(stripe);
        }
    }

    /** Releases what is at hand; a stripe that is still being read belongs to the receiver of its event. */
    void close() {
        atHand.ifPresent(Stripe::close);
        atHand = Optional.empty();
        sources.clear();
    }
}
