package io.ecfs.client.update;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.location.PatchSource;
import io.ecfs.client.location.Segment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The patch group that an updater fills, for its own reads: full stripes come from the datanodes, the bytes of the open
 * stripe from memory. Safe for use by several threads.
 */
final class OpenPatch implements PatchSource {
    private final Policy policy;
    /** Bytes of the open stripe; of a sealed group none. */
    @GuardedBy("this")
    private byte[] stripe;

    @GuardedBy("this")
    private LocatedGroup located;

    /** Bytes that are acknowledged; those of the last stripe, if it is not full, are in memory. */
    @GuardedBy("this")
    private long end;

    OpenPatch(LocatedGroup located) {
        this.located = located;
        this.policy = located.policy();
        this.stripe = new byte[Math.toIntExact(policy.stripeBytes())];
    }

    @Override
    public synchronized GroupId group() {
        return located.group();
    }

    @Override
    public synchronized void locate(LocatedGroup now) {
        if (located.open()) { // an answer may be older than the seal
            located = now;
            stripe = now.open() ? stripe : new byte[0];
        }
    }

    @Override
    public synchronized boolean filling() {
        return located.open();
    }

    /** Takes over acknowledged bytes of the group, as far as they are in its open stripe. */
    synchronized void acknowledged(PatchParts parts, long groupEnd) {
        end = groupEnd;
        long begin = openStripe();
        for (PatchParts.Part part : parts.all()) {
            long skip = Math.max(0, begin - part.offset());
            int bytes = part.bytes().remaining();
            if (skip < bytes) {
                part.bytes()
                        .duplicate()
                        .position(part.bytes().position() + (int) skip)
                        .get(stripe, (int) (part.offset() + skip - begin), bytes - (int) skip);
            }
        }
    }

    @GuardedBy("this")
    private long openStripe() {
        return end - end % policy.stripeBytes();
    }

    @Override
    public synchronized Segment at(long groupOffset) {
        if (!located.open()) {
            return Segment.of(new Extent(0, located.length(), located.group(), 0), located);
        }
        long begin = openStripe();
        if (groupOffset < begin) {
            LocatedGroup stripes = new LocatedGroup(located.group(), policy, begin, located.chunks(), located.token())
                    .in(located.ring());
            return Segment.of(new Extent(0, begin, located.group(), 0), stripes);
        }
        return new Segment(
                new Extent(begin, end - begin, located.group(), begin),
                located,
                new GroupLayout(policy, end),
                Optional.of(this::fromMemory));
    }

    private synchronized CompletableFuture<byte[]> fromMemory(long from, long to) {
        long begin = openStripe();
        return from < begin || !located.open()
                ? CompletableFuture.failedFuture(new EcfsException(
                        ErrorCode.GROUP_UNREADABLE,
                        "bytes [" + from + ", " + to + ") of group " + located.group()
                                + " are not in memory any more: their stripe is full"))
                : CompletableFuture.completedFuture(
                        Arrays.copyOfRange(stripe, (int) (from - begin), (int) (to - begin)));
    }
}
