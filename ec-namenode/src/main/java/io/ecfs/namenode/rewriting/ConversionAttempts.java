package io.ecfs.namenode.rewriting;

import io.ecfs.layout.InodeId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The files of a conversion that are begun and not done: those that wait for rewrites, and those that are examined
 * again later, because they were not converted or because their sources cannot be read yet.
 */
final class ConversionAttempts {
    private static final int MOST_ATTEMPTS = 4;

    /** Files that wait for their turn to be tried again, at most. */
    private static final int MOST_LATER = 100_000;

    /** Time after which a file is examined again whose sources cannot be read yet. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** So many files may wait for sources that cannot be read before the walk waits, too. */
    private static final int MOST_WAITING = 1000;

    /** A file waits at most so long for sources that cannot be read, while nothing is reconstructed. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final LongSupplier clockMillis;
    /** Rewrites that files wait for. */
    private final Map<InodeId, Integer> outstanding = new HashMap<>();

    private final Map<InodeId, Integer> attempts = new HashMap<>();
    /** When files are examined again, by the clock. */
    private final TreeSet<Later> later = new TreeSet<>(Later.FIRST);
    /** Since when files wait for their sources, by the clock; and why the last one of them. */
    private final Map<InodeId, Long> waiting = new HashMap<>();

    private Optional<String> postponed = Optional.empty();

    private record Later(long dueMillis, InodeId file) {
        static final Comparator<Later> FIRST = Comparator.comparingLong(Later::dueMillis)
                .thenComparing(Later::file, Comparator.comparing(InodeId::value));
    }

    /** @param clockMillis of the leader, monotonic */
    ConversionAttempts(LongSupplier clockMillis) {
        this.clockMillis = clockMillis;
    }

    /** Returns whether no file is left. */
    boolean isEmpty() {
        return later.isEmpty() && outstanding.isEmpty();
    }

    /** Returns whether so many files wait for their sources that no other is to be begun. */
    boolean full() {
        return waiting.size() >= MOST_WAITING;
    }

    /** The reason why a file waits for its sources; empty when none does. */
    Optional<String> waitsFor() {
        return postponed.filter(reason -> !waiting.isEmpty());
    }

    boolean isRewritten(InodeId file) {
        return outstanding.containsKey(file);
    }

    /** The next file whose time to be examined again has come. */
    Optional<InodeId> due() {
        boolean due = !later.isEmpty() && later.first().dueMillis() <= clockMillis.getAsLong();
        return due ? Optional.of(later.pollFirst().file()) : Optional.empty();
    }

    /** Begins, or begins again, with a file. */
    void begin(InodeId file) {
        attempts.putIfAbsent(file, 0);
    }

    /** A file waits for so many rewrites. */
    void await(InodeId file, int rewrites) {
        waiting.remove(file);
        outstanding.put(file, rewrites);
    }

    /** One of the rewrites that a file waits for has ended; returns whether it was the last one. */
    boolean ended(InodeId file) {
        if (outstanding.merge(file, -1, Integer::sum) > 0) {
            return false;
        }
        outstanding.remove(file);
        return true;
    }

    /** Tries a file again later, since it was not converted; returns the reason of its failure if it is not. */
    Optional<String> retry(InodeId file, String reason) {
        int tried = attempts.merge(file, 1, Integer::sum);
        return tried < MOST_ATTEMPTS ? examineLater(file, PAUSE.multipliedBy(tried)) : Optional.of(reason);
    }

    /** The attempt under way is the last one of a file. */
    void tryNoMore(InodeId file) {
        attempts.put(file, MOST_ATTEMPTS);
    }

    /**
     * Examines a file again later, since its sources cannot be read yet; returns the reason of its failure if it is
     * not. Others go on meanwhile: what is lost for good would hold them up for ever.
     */
    Optional<String> postpone(InodeId file, String reason) {
        postponed = Optional.of(reason);
        long now = clockMillis.getAsLong();
        return now - waiting.computeIfAbsent(file, each -> now) < PATIENCE.toMillis()
                ? examineLater(file, PAUSE.multipliedBy(1 + waiting.size() / 50))
                : Optional.of(reason);
    }

    private Optional<String> examineLater(InodeId file, Duration pause) {
        if (later.size() >= MOST_LATER) {
            return Optional.of("too many files have failed and wait for another try: convert it again");
        }
        later.add(new Later(clockMillis.getAsLong() + pause.toMillis(), file));
        return Optional.empty();
    }

    /** Is done with a file; returns whether it was begun. */
    boolean forget(InodeId file) {
        waiting.remove(file);
        return attempts.remove(file) != null;
    }
}
