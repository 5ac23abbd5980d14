package io.ecfs.datanode.store.ring.turn;

import io.ecfs.datanode.store.ring.DrainRunner;
import io.ecfs.datanode.store.ring.StagedCounts;
import io.ecfs.datanode.store.ring.StagedRoles;
import io.ecfs.datanode.store.ring.StagedVolume;
import io.ecfs.datanode.store.ring.VolumeRole;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.ring.RingRole;
import io.ecfs.message.ring.RingVolumeStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Leads the staged volumes of a datanode through the turns of their rings. Owner thread: the control plane's. */
public final class RingTurns {
    private static final Duration INTERVAL = Duration.ofMillis(25);

    private final List<Member> members;
    private final Scheduler scheduler;
    private final Clock clock;
    private final VolumeTurns turns = new VolumeTurns();

    /**
     * A staged volume.
     *
     * @param number that the cluster gave it; empty before it has one
     * @param failed whether its disk has: it is rebuilt elsewhere, with what its journal has
     */
    public record Member(
            Supplier<Optional<VolumeId>> number, BooleanSupplier failed, StagedVolume staged, DrainRunner runner) {}

    public RingTurns(List<Member> members, Scheduler scheduler, Clock clock) {
        this.members = List.copyOf(members);
        this.scheduler = scheduler;
        this.clock = clock;
    }

    public void start() {
        if (!members.isEmpty()) {
            scheduler.scheduleWithFixedDelay(INTERVAL, INTERVAL, this::go);
        }
    }

    /** Follows the clocks of a leader; other namenodes know less. */
    public void follow(DatanodeReply.HeartbeatReply reply) {
        if (reply.term() > 0) {
            reply.rings().ifPresent(clocks -> turns.follow(reply.term(), clocks, clock.nanos()));
        }
    }

    private void go() {
        for (Member member : members) {
            if (!member.failed().getAsBoolean()) {
                go(member);
            }
        }
    }

    private void go(Member member) {
        Optional<VolumeId> number = member.number().get();
        if (number.isEmpty() || !turns.known()) {
            member.runner().goOn();
            return;
        }
        Optional<VolumeTurns.Turn> turn = turns.of(number.get(), clock.nanos());
        member.staged().skewed(turn.filter(VolumeTurns.Turn::skewed).isPresent());
        member.runner()
                .go(
                        turn.map(VolumeTurns.Turn::wanted).orElse(StagedRoles.Wanted.OUTSIDE),
                        turn.map(VolumeTurns.Turn::rotation).orElse(Duration.ZERO));
    }

    /** The volumes that follow a ring's clock. */
    public List<RingVolumeStatus> statuses() {
        List<RingVolumeStatus> all = new ArrayList<>();
        for (Member member : members) {
            Optional<VolumeId> number = member.number().get();
            number.flatMap(volume -> turns.of(volume, clock.nanos()))
                    .ifPresent(turn -> all.add(status(number.get(), turn, member.staged())));
        }
        return all;
    }

    private static RingVolumeStatus status(VolumeId volume, VolumeTurns.Turn turn, StagedVolume staged) {
        StagedCounts counts = staged.io().counts();
        Map<String, Long> spills = new TreeMap<>();
        counts.spills().forEach((reason, n) -> {
            if (n > 0) {
                spills.put(reason.name().toLowerCase(Locale.ROOT), n);
            }
        });
        return new RingVolumeStatus(
                volume,
                turn.ring(),
                turn.epoch(),
                turn.position(),
                turn.millisToMove(),
                role(counts.role()),
                counts.stagedBytes(),
                counts.journalBytes(),
                counts.journalBound(),
                counts.acceptedBytes(),
                counts.drainedBytes(),
                counts.lateSwitches(),
                spills,
                staged.readTimes(false),
                staged.readTimes(true));
    }

    /** A volume of a ring that is paused writes. */
    private static RingRole role(VolumeRole role) {
        return switch (role) {
            case READING -> RingRole.READING;
            case DRAINING_READS -> RingRole.DRAINING_READS;
            case WRITING, OUTSIDE -> RingRole.WRITING;
            case SETTLING -> RingRole.SETTLING;
        };
    }
}
