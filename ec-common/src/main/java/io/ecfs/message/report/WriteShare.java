package io.ecfs.message.report;

import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WritePart;
import io.ecfs.plan.write.WriteStep;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * Writes under one policy whose stripes one side encoded, and their time in nanoseconds in the parts of
 * {@link WritePart}, one component each, by its name.
 *
 * @param side that encoded them
 * @param elapsed from answer to answer of stripes under way: stripes overlap, so the steps may add up to more
 */
public record WriteShare(
        Policy policy,
        WriteSide side,
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
        Objects.requireNonNull(side, "side");
        boolean negative = LongStream.of(
                        stripes,
                        bytes,
                        elapsed,
                        copying,
                        asking,
                        transferring,
                        managing,
                        encoding,
                        distributing,
                        serving)
                .anyMatch(number -> number < 0);
        if (negative) {
            throw new IllegalArgumentException("counts and times of writes must not be negative");
        }
    }

    /** @param nanos of each part */
    public static WriteShare of(
            Policy policy, WriteSide side, long stripes, long bytes, long elapsed, ToLongFunction<WritePart> nanos) {
        return new WriteShare(
                policy,
                side,
                stripes,
                bytes,
                elapsed,
                nanos.applyAsLong(WritePart.COPYING),
                nanos.applyAsLong(WritePart.ASKING),
                nanos.applyAsLong(WritePart.TRANSFERRING),
                nanos.applyAsLong(WritePart.MANAGING),
                nanos.applyAsLong(WritePart.ENCODING),
                nanos.applyAsLong(WritePart.DISTRIBUTING),
                nanos.applyAsLong(WritePart.SERVING));
    }

    /** Nanoseconds of a part. */
    public long nanos(WritePart part) {
        return switch (part) {
            case COPYING -> copying;
            case ASKING -> asking;
            case TRANSFERRING -> transferring;
            case MANAGING -> managing;
            case ENCODING -> encoding;
            case DISTRIBUTING -> distributing;
            case SERVING -> serving;
        };
    }

    /** What shares are added up by. */
    public record Key(Policy policy, WriteSide side) {}

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
    public static WriteShare none(Policy policy, WriteSide side) {
        return of(policy, side, 0, 0, 0, part -> 0);
    }

    /** Both together; a sum that would overflow stays at the largest number. */
    public WriteShare plus(WriteShare other) {
        return of(
                policy,
                side,
                sum(stripes, other.stripes),
                sum(bytes, other.bytes),
                sum(elapsed, other.elapsed),
                part -> sum(nanos(part), other.nanos(part)));
    }

    /** What was added since {@code before}; 0 where less is there now. */
    public WriteShare since(WriteShare before) {
        return of(
                policy,
                side,
                Math.max(0, stripes - before.stripes),
                Math.max(0, bytes - before.bytes),
                Math.max(0, elapsed - before.elapsed),
                part -> Math.max(0, nanos(part) - before.nanos(part)));
    }

    /** Nanoseconds of a step. */
    public long nanos(WriteStep step) {
        long sum = 0;
        for (WritePart part : WritePart.values()) {
            sum = part.step() == step ? sum(sum, nanos(part)) : sum;
        }
        return sum;
    }

    /** Nanoseconds of all steps. */
    public long steps() {
        long sum = 0;
        for (WritePart part : WritePart.values()) {
            sum = sum(sum, nanos(part));
        }
        return sum;
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
