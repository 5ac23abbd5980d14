package io.ecfs.client.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.ring.RingState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RotationTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Ring SHAPE = new Ring(6, 3);

    private static RingState state(long epoch, int position, long millisToMove, boolean paused) {
        return new RingState(
                new RingId(1),
                "flash",
                epoch,
                SHAPE.colours(),
                SHAPE.writers(),
                false,
                10_000,
                position,
                millisToMove,
                paused,
                false,
                List.of(),
                0,
                List.of(),
                Optional.empty());
    }

    private static Rotation told(long at, int position, long millisToMove) {
        return Rotation.of(state(1, position, millisToMove, false), at, at);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -77, Long.MAX_VALUE - 5, Long.MIN_VALUE + 5})
    void positionsAreCountedOnFromTheOneThatWasTold(long origin) {
        Rotation rotation = told(origin, 4, 3_000);
        for (long millis = 0; millis < 130_000; millis += 500) {
            long now = origin + millis * MILLI;
            long turns = (millis + 7_000) / 10_000;
            assertThat(rotation.position(now)).as("after %d ms", millis).isEqualTo((int) ((4 + turns) % 6));
            assertThat(rotation.untilTurn(now)).isEqualTo((10_000 - (millis + 7_000) % 10_000) * MILLI);
        }
    }

    @Test
    void rolesAreThoseOfTheRingButForTheGuardTimeAroundATurn() {
        Rotation rotation = told(0, 0, 10_000);
        for (long millis = 0; millis < 60_000; millis += 50) {
            int position = (int) (millis / 10_000);
            long sinceTurn = millis % 10_000;
            for (int colour = 0; colour < 6; colour++) {
                boolean begins = sinceTurn >= 9_750 && colour == position; // to write, at the next turn
                boolean ended = sinceTurn < 250 && colour == (position + 2) % 6;
                ExpectedRole expected = SHAPE.writes(colour, position)
                        ? ExpectedRole.WRITES
                        : begins || ended ? ExpectedRole.TURNS : ExpectedRole.READS;
                assertThat(rotation.role(colour, millis * MILLI))
                        .as("colour %d after %d ms", colour, millis)
                        .isEqualTo(expected);
                assertThat(rotation.steady(colour, millis * MILLI))
                        .isEqualTo(!begins
                                && !ended
                                && !(sinceTurn >= 9_750 && colour == (position + 3) % 6)
                                && !(sinceTurn < 250 && colour == (position + 5) % 6));
            }
        }
    }

    @Test
    void anAnswerIsFromTheMiddleOfItsCall() {
        assertThat(Rotation.of(state(1, 2, 1_000, false), 500 * MILLI, 700 * MILLI)
                        .untilTurn(700 * MILLI))
                .isEqualTo(900 * MILLI);
    }

    @Test
    void anAnswerThatIsALittleBehindDoesNotTurnTheRingBack() {
        Rotation known = told(0, 0, 10_000);
        long now = 10_100 * MILLI;
        Rotation after = told(now, 0, 200).after(known, now);
        int last = 1;
        for (long millis = 10_100; millis < 40_000; millis += 50) {
            int position = after.position(millis * MILLI);
            assertThat(position).as("after %d ms", millis).isBetween(last, last + 1);
            last = position;
        }
        assertThat(after.position(10_299 * MILLI)).isEqualTo(1);
        assertThat(after.position(20_299 * MILLI)).isEqualTo(1);
        assertThat(after.position(20_300 * MILLI)).isEqualTo(2);
        assertThat(told(now, 0, 5_000).after(known, now).position(now))
                .as("one that is far behind is another clock")
                .isZero();
    }

    @Test
    void anotherEpochIsTakenAsItIs() {
        Rotation known = told(0, 0, 10_000);
        long now = 10_100 * MILLI;
        Rotation told = Rotation.of(state(2, 0, 200, false), now, now);
        assertThat(told.after(known, now)).isSameAs(told);
    }

    @Test
    void allVolumesOfAPausedRingRead() {
        Rotation paused = Rotation.of(state(1, 3, 1_000, true), 0, 0);
        for (long millis = 0; millis < 60_000; millis += 1_000) {
            assertThat(paused.position(millis * MILLI)).isEqualTo(3);
            for (int colour = 0; colour < 6; colour++) {
                assertThat(paused.role(colour, millis * MILLI)).isEqualTo(ExpectedRole.READS);
            }
        }
    }
}
