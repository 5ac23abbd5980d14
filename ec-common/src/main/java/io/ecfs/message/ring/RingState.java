package io.ecfs.message.ring;

import io.ecfs.config.Nearest;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A ring as operators and clients see it.
 *
 * @param epoch grows with each change
 * @param adaptive whether the leader chooses the writers by demand
 * @param position in [0, colours), by the leader's clock when it answered
 * @param millisToMove from then on to the next turn
 * @param paused as in {@link RingClock}
 * @param dropping true: its groups are being moved to volumes of no ring, and then it is gone
 * @param volumes in the order of their numbers
 * @param directories that name it
 * @param groupsByMostWriters how many of its groups tolerate at most 0, 1, … writers, up to {@code colours - 1}
 * @param waiting the last reason why a chunk did not leave a datanode with a volume that is to be emptied; empty: there
 *     is none
 */
public record RingState(
        RingId ring,
        String name,
        long epoch,
        int colours,
        int writers,
        boolean adaptive,
        long periodMillis,
        int position,
        long millisToMove,
        boolean paused,
        boolean dropping,
        List<RingVolume> volumes,
        long directories,
        List<Long> groupsByMostWriters,
        Optional<String> waiting) {
    /** Letters, digits, dots, dashes and underscores, a letter first. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,63}");

    /** The word in place of a name that stands for no ring. */
    public static final String NO_RING = "none";

    public RingState {
        Objects.requireNonNull(ring, "ring");
        checkName(name);
        volumes = List.copyOf(volumes);
        groupsByMostWriters = List.copyOf(groupsByMostWriters);
        Objects.requireNonNull(waiting, "waiting");
    }

    /** @throws IllegalArgumentException when a ring cannot be called so */
    public static String checkName(String name) {
        if (!NAME.matcher(name).matches() || name.equals(NO_RING)) {
            throw new IllegalArgumentException("a ring cannot be called '" + name
                    + "': 1 to 64 letters, digits, '.', '-' and '_', a letter first, and not 'none'");
        }
        return name;
    }

    /** @throws EcfsException {@code NOT_FOUND} with the name that was probably meant */
    public static RingState named(List<RingState> rings, String name) throws EcfsException {
        return rings.stream()
                .filter(ring -> ring.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> unknown(name, rings.stream().map(RingState::name).toList()));
    }

    /** The error for a ring that is not there, with the name that was probably meant. */
    public static EcfsException unknown(String name, List<String> known) {
        return new EcfsException(
                ErrorCode.NOT_FOUND,
                known.isEmpty()
                        ? "there is no ring " + name + ", and no other one: 'ecfs ring create' makes one"
                        : "there is no ring " + name + "; nearest is " + Nearest.to(name, known));
    }

    public Ring shape() {
        return new Ring(colours, writers);
    }

    public long groups() {
        return groupsByMostWriters.stream().mapToLong(Long::longValue).sum();
    }
}
