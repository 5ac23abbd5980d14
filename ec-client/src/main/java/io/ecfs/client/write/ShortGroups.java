package io.ecfs.client.write;

import io.ecfs.env.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * How long one file's writer stays in a group that began without all of its chunks, because datanodes were away then:
 * repair adds them only when the group has ended, and one more failure may end the writer. Each group in a row that
 * begins so lasts twice as long, since there may be no more datanodes. Owned by the client's owner thread.
 */
final class ShortGroups {
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Clock clock;
    private Duration next = FIRST;
    private Optional<Long> endsAt = Optional.empty();

    ShortGroups(Clock clock) {
        this.clock = clock;
    }

    /** @param whole whether the group that begins has all of its chunks */
    void begins(boolean whole) {
        if (whole) {
            next = FIRST;
            endsAt = Optional.empty();
        } else {
            endsAt = Optional.of(clock.nanos() + next.toNanos());
            next = next.multipliedBy(2).compareTo(LONGEST) < 0 ? next.multipliedBy(2) : LONGEST;
        }
    }

    /** Returns whether the present group began without all of its chunks and is to end. */
    boolean over() {
        return endsAt.filter(end -> clock.nanos() - end >= 0).isPresent();
    }
}
