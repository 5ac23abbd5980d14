package io.ecfs.client.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rings of six colours, three of which write for ten seconds; the volume of chunk i has colour i. */
class RingViewTest {
    private static final RingId RING = new RingId(3);

    private final ManualTime time = new ManualTime(5);
    private CompletableFuture<List<RingState>> answer = new CompletableFuture<>();
    private int polls;
    private final RingView view = new RingView(time, () -> {
        polls++;
        return answer;
    });

    private static VolumeId volume(int colour) {
        return new VolumeId(colour + 1);
    }

    private static LocatedGroup group(Optional<RingId> ring) {
        GroupId group = new GroupId(7);
        List<ChunkLocation> chunks = IntStream.range(0, 6)
                .mapToObj(index -> new ChunkLocation(
                        new ChunkId(group, index, 0),
                        volume(index),
                        new DatanodeId("dn" + index),
                        new Address("dn" + index, 1),
                        "/rack",
                        ChunkLocation.State.LIVE))
                .toList();
        BlockToken token = new BlockToken(
                group, Stamp.NONE, BlockToken.Right.READ, Long.MAX_VALUE, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        return new LocatedGroup(group, Policy.parse("rs-3-3-64k"), 1000, chunks, token).in(ring);
    }

    private static RingState state(long epoch, int position, long millisToMove) {
        List<RingVolume> volumes = IntStream.range(0, 6)
                .mapToObj(colour -> new RingVolume(
                        volume(colour),
                        new DatanodeId("dn" + colour),
                        Optional.empty(),
                        Optional.of(colour),
                        RingVolume.Duty.ACTIVE,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(true)))
                .toList();
        return new RingState(
                RING,
                "flash",
                epoch,
                6,
                3,
                false,
                10_000,
                position,
                millisToMove,
                false,
                false,
                volumes,
                1,
                List.of(),
                Optional.empty());
    }

    @Test
    void readsThatSawAVolumeTurnAreOfNeitherRole() {
        assertThat(view.sameSince(volume(0), time.nanos())).isTrue();
        view.answered(volume(0), false);
        long reading = time.nanos();
        time.advance(Duration.ofMillis(10));
        view.answered(volume(0), true);
        assertThat(view.sameSince(volume(0), reading)).isFalse();
        long writing = time.nanos();
        assertThat(view.sameSince(volume(0), writing)).isTrue();
        time.advance(Duration.ofMillis(10));
        view.answered(volume(0), true);
        assertThat(view.sameSince(volume(0), writing)).isTrue();
        view.answered(volume(0), false);
        assertThat(view.sameSince(volume(0), writing)).isFalse();
        assertThat(view.sameSince(volume(0), time.nanos())).isTrue();
        assertThat(view.sameSince(volume(1), reading)).as("another volume").isTrue();
    }

    private void answered(RingState... states) {
        CompletableFuture<List<RingState>> waits = answer;
        answer = new CompletableFuture<>();
        waits.complete(List.of(states));
    }

    private ChunkSet writing() {
        return view.roles(group(Optional.of(RING))).writing();
    }

    private void known() {
        writing();
        answered(state(1, 0, 10_000));
        assertThat(writing()).isEqualTo(ChunkSet.of(3, 4, 5));
    }

    @Test
    void aClusterWithoutRingsIsAskedNothing() {
        for (int i = 0; i < 100; i++) {
            assertThat(view.roles(group(Optional.empty()))).isSameAs(ChunkRoles.NONE);
            view.answered(volume(0), false);
            time.advance(Duration.ofMinutes(1));
        }
        assertThat(polls).isZero();
    }

    @Test
    void theFirstGroupOfARingAsksForItAndItsPositionIsCountedOn() {
        assertThat(writing()).as("while nothing is known").isEqualTo(ChunkSet.empty());
        writing();
        assertThat(polls).isEqualTo(1);
        answered(state(1, 0, 10_000));
        assertThat(writing()).isEqualTo(ChunkSet.of(3, 4, 5));
        time.advance(Duration.ofMillis(9_800));
        assertThat(view.roles(group(Optional.of(RING))))
                .isEqualTo(new ChunkRoles(ChunkSet.of(0), ChunkSet.of(3, 4, 5)));
        time.advance(Duration.ofMillis(300));
        assertThat(view.roles(group(Optional.of(RING))))
                .isEqualTo(new ChunkRoles(ChunkSet.of(3), ChunkSet.of(0, 4, 5)));
        time.advance(Duration.ofSeconds(30));
        assertThat(writing()).isEqualTo(ChunkSet.of(1, 2, 3));
        assertThat(polls).isEqualTo(1);
    }

    @Test
    void whatIsKnownIsAskedForAgainOnceAMinute() {
        known();
        time.advance(Duration.ofSeconds(61));
        assertThat(writing()).as("meanwhile by the old answer").isEqualTo(ChunkSet.of(3, 4, 5));
        assertThat(polls).isEqualTo(2);
        answered(state(1, 2, 5_000));
        assertThat(writing()).isEqualTo(ChunkSet.of(0, 1, 5));
        time.advance(Duration.ofSeconds(59));
        writing();
        assertThat(polls).isEqualTo(2);
    }

    @Test
    void aLowerEpochIsOfAnEarlierLeaderAndAHigherOneIsTaken() {
        known();
        time.advance(Duration.ofSeconds(61));
        writing();
        answered(state(2, 3, 10_000));
        assertThat(writing()).isEqualTo(ChunkSet.of(0, 1, 2));
        time.advance(Duration.ofSeconds(61));
        writing();
        answered(state(1, 0, 10_000));
        assertThat(writing()).as("6 turns later").isEqualTo(ChunkSet.of(0, 1, 2));
    }

    @Test
    void anAnswerThatSaysWritingMarksItsVolumeForTheRestOfItsTurnAndAsks() {
        known();
        time.advance(Duration.ofSeconds(5));
        view.answered(volume(1), true);
        assertThat(writing()).isEqualTo(ChunkSet.of(1, 3, 4, 5));
        assertThat(polls).isEqualTo(2);
        assertThat(view.contradictions()).isEqualTo(1);
        time.advance(Duration.ofMillis(1_999));
        assertThat(writing()).isEqualTo(ChunkSet.of(1, 3, 4, 5));
        time.advance(Duration.ofMillis(1));
        assertThat(writing()).as("then a read finds out").isEqualTo(ChunkSet.of(3, 4, 5));
        view.answered(volume(1), true);
        view.answered(volume(1), false);
        assertThat(writing()).as("an answer without the flag").isEqualTo(ChunkSet.of(3, 4, 5));
        time.advance(Duration.ofSeconds(2));
        view.answered(volume(2), true);
        time.advance(Duration.ofSeconds(1));
        assertThat(writing()).as("behind the turn").isEqualTo(ChunkSet.of(0, 4, 5));
    }

    /** It has drained everything before its turn. */
    @Test
    void anAnswerThatDoesNotSayWritingClearsItsVolumeAndAsksNothing() {
        known();
        time.advance(Duration.ofSeconds(5));
        view.answered(volume(4), false);
        assertThat(writing()).isEqualTo(ChunkSet.of(3, 5));
        time.advance(Duration.ofMillis(1_999));
        assertThat(writing()).isEqualTo(ChunkSet.of(3, 5));
        time.advance(Duration.ofMillis(1));
        assertThat(writing()).as("unless answers go on saying so").isEqualTo(ChunkSet.of(3, 4, 5));
        assertThat(polls).isEqualTo(1);
        assertThat(view.contradictions()).isZero();
    }

    @Test
    void aVolumeThatShouldWriteIsTriedRarely() {
        known();
        int trials = 0;
        for (int read = 0; read < 10 * WriterTrials.READS; read++) {
            trials += view.takeTrial(volume(3)) ? 1 : 0;
        }
        assertThat(trials).as("at once").isZero();
        for (int read = 0; read < 1_000; read++) {
            time.advance(Duration.ofMillis(10));
            trials += view.takeTrial(volume(3)) ? 1 : 0;
        }
        assertThat(trials).as("in ten seconds of many reads").isBetween(18, 20);
        trials = 0;
        for (int read = 0; read < 10 * (WriterTrials.READS + 1); read++) {
            time.advance(Duration.ofSeconds(1));
            trials += view.takeTrial(volume(3)) ? 1 : 0;
        }
        assertThat(trials).as("of few reads").isBetween(9, 11);
        assertThat(view.takeTrial(new VolumeId(99))).as("in no ring").isFalse();
    }

    @Test
    void aboutATurnNoAnswerContradicts() {
        known();
        time.advance(Duration.ofMillis(9_900));
        view.answered(volume(0), true);
        view.answered(volume(3), false);
        assertThat(view.contradictions()).isZero();
        assertThat(polls).isEqualTo(1);
    }

    @Test
    void aReplyIsComparedWithTheRolesOfItsOwnTime() {
        known();
        long answered = time.nanos();
        time.advance(Duration.ofSeconds(11)); // the ring has turned when the reply is taken
        view.answered(volume(3), true, answered);
        assertThat(writing()).isEqualTo(ChunkSet.of(0, 4, 5));
        assertThat(view.contradictions()).isZero();
    }

    @Test
    void aVolumeOfNoKnownRingIsMarkedAsWell() {
        view.answered(volume(2), true);
        assertThat(view.roles(group(Optional.empty())).writing()).isEqualTo(ChunkSet.of(2));
        time.advance(Duration.ofSeconds(2));
        assertThat(view.roles(group(Optional.empty()))).isEqualTo(ChunkRoles.NONE);
        assertThat(polls).isZero();
    }

    /** Nothing else refreshes what is known of the ring, and its volumes turn no more. */
    @Test
    void aGroupInNoRingOnAVolumeOfOneAsksWhetherTheRingWasDropped() {
        known();
        LocatedGroup outside = group(Optional.empty());
        time.advance(Duration.ofSeconds(5));
        view.answered(volume(4), false);
        assertThat(view.roles(outside)).isEqualTo(ChunkRoles.NONE);
        assertThat(polls).isEqualTo(2);
        answered();
        assertThat(view.inRing(volume(4))).isFalse();
        time.advance(Duration.ofMinutes(1));
        view.answered(volume(4), false);
        assertThat(view.roles(outside)).isEqualTo(ChunkRoles.NONE);
        assertThat(polls).isEqualTo(2);
    }

    @Test
    void questionsThatChangeNothingBecomeRarer() {
        int before = polls;
        for (int second = 0; second < 600; second++) {
            writing();
            answered();
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(polls - before).isBetween(10, 16);
        writing();
        answered(state(1, 0, 10_000));
        time.advance(Duration.ofMinutes(1));
        writing();
        answered(state(1, 0, 10_000));
        assertThat(writing()).isEqualTo(ChunkSet.of(3, 4, 5));
    }

    @Test
    void whileTheNamenodeDoesNotAnswerNothingIsKnownAndItIsAskedAgain() {
        writing();
        answer.completeExceptionally(new EcfsException(ErrorCode.UNSUPPORTED, "an earlier release"));
        answer = new CompletableFuture<>();
        time.advance(Duration.ofSeconds(1));
        writing();
        assertThat(polls).as("too soon").isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
        writing();
        assertThat(polls).isEqualTo(2);
        answered(state(1, 0, 10_000));
        assertThat(writing()).isEqualTo(ChunkSet.of(3, 4, 5));
    }
}
