package io.ecfs.message.report;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes under one policy whose stripes one side encoded, and their time in nanoseconds in the steps of Kim et al.
 * (section 4): CO is {@code copying + asking + transferring}, MP {@code managing}, PC {@code encoding}, DD
 * {@code distributing}, SP {@code serving}.
 *
 * @param side CLIENT or MASTER
 * @param elapsed from answer to answer of stripes under way: stripes overlap, so the steps may add up to more
 */
public record WriteShare(
        Policy policy,
        EncodingSide side,
        long stripes,
        long bytes,
        long elapsed,
        long copying,
        long asking,
        long transferring,
        long managing,
        long encoding,
        long distributing,
        long serving) {
    public WriteShare {
        Objects.requireNonNull(policy, "policy");
        if (side == EncodingSide.AUTO) {
            throw new IllegalArgumentException("stripes are encoded by the client or by a master");
        }
        long least = Math.min(Math.min(Math.min(stripes, bytes), Math.min(elapsed, copying)), asking);
        least = Math.min(least, Math.min(Math.min(transferring, managing), encoding));
        if (Math.min(least, Math.min(distributing, serving)) < 0) {
            throw new IllegalArgumentException("counts and times of writes must not be negative");
        }
    }

    /** What shares are added up by. */
    public record Key(Policy policy, EncodingSide side) {}

    public Key key() {
        return new Key(policy, side);
    }

    /** What came to each share since earlier ones, by key; without those to which no stripe was added. */
    public static List<WriteShare> added(Map<Key, WriteShare> before, List<WriteShare> now) {
        return now.stream()
                .map(share -> share.since(before.getOrDefault(share.key(), none(share.policy(), share.side()))))
                .filter(share -> share.stripes() > 0)
                .toList();
    }

    /** Nothing yet. */
    public static WriteShare none(Policy policy, EncodingSide side) {
        return new WriteShare(policy, side, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Both together; a sum that would overflow stays at the largest number. */
    public WriteShare plus(WriteShare other) {
        return new WriteShare(
                policy,
                side,
                sum(stripes, other.stripes),
                sum(bytes, other.bytes),
                sum(elapsed, other.elapsed),
                sum(copying, other.copying),
                sum(asking, other.asking),
                sum(transferring, other.transferring),
                sum(managing, other.managing),
                sum(encoding, other.encoding),
                sum(distributing, other.distributing),
                sum(serving, other.serving));
    }

    /** What was added since {@code before}; 0 where less is there now. */
    public WriteShare since(WriteShare before) {
        return new WriteShare(
                policy,
                side,
                Math.max(0, stripes - before.stripes),
                Math.max(0, bytes - before.bytes),
                Math.max(0, elapsed - before.elapsed),
                Math.max(0, copying - before.copying),
                Math.max(0, asking - before.asking),
                Math.max(0, transferring - before.transferring),
                Math.max(0, managing - before.managing),
                Math.max(0, encoding - before.encoding),
                Math.max(0, distributing - before.distributing),
                Math.max(0, serving - before.serving));
    }

    /** CO, client overhead. */
    public long overhead() {
        return sum(sum(copying, asking), transferring);
    }

    /** All steps. */
    public long steps() {
        return sum(sum(overhead(), managing), sum(encoding, sum(distributing, serving)));
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
