package io.ecfs.datanode.server;

import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.ring.DrainRunner;
import io.ecfs.datanode.store.ring.StagedCounts;
import io.ecfs.datanode.store.ring.StagedRoles;
import io.ecfs.datanode.store.ring.VolumeRole;
import io.ecfs.datanode.store.ring.VolumeTurns;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.ring.RingRole;
import io.ecfs.message.ring.RingVolumeStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Leads the staged volumes of a datanode through the turns of their rings. Owner thread: the control plane's. */
final class RingTurns {
    private static final Duration INTERVAL = Duration.ofMillis(25);

    private final Volumes volumes;
    private final Scheduler scheduler;
    private final Clock clock;
    private final VolumeTurns turns = new VolumeTurns();
    private final Map<ServedVolume, DrainRunner> runners = new LinkedHashMap<>();

    RingTurns(Volumes volumes, Scheduler scheduler, Clock clock) {
        this.volumes = volumes;
        this.scheduler = scheduler;
        this.clock = clock;
        for (ServedVolume served : volumes.all()) {
            served.staged()
                    .ifPresent(staged -> runners.put(
                            served,
                            new DrainRunner(
                                    staged.io(),
                                    served.queue(),
                                    Volume::chunkOf,
                                    (what, work) -> served.volume().onDisk(what, work::run),
                                    scheduler::execute,
                                    clock)));
        }
    }

    void start() {
        if (!runners.isEmpty()) {
            scheduler.scheduleWithFixedDelay(INTERVAL, INTERVAL, this::go);
        }
    }

    /** Takes what a leader says of the rings; other namenodes know less. */
    void heard(DatanodeReply.HeartbeatReply reply) {
        if (reply.term() > 0) {
            reply.rings().ifPresent(clocks -> turns.heard(reply.term(), clocks, clock.nanos()));
        }
    }

    private void go() {
        runners.forEach((served, runner) -> {
            Optional<VolumeId> number = volumes.numberOf(served);
            if (served.volume().state() == VolumeState.FAILED) {
                return; // it is rebuilt elsewhere, with what its journal has
            }
            if (number.isEmpty() || !turns.known()) {
                runner.goOn();
                return;
            }
            Optional<VolumeTurns.Turn> turn = turns.of(number.get(), clock.nanos());
            served.staged().get().skewed(turn.filter(VolumeTurns.Turn::skewed).isPresent());
            runner.go(
                    turn.map(VolumeTurns.Turn::wanted).orElse(StagedRoles.Wanted.OUTSIDE),
                    turn.map(VolumeTurns.Turn::rotation).orElse(Duration.ZERO));
        });
    }

    /** The volumes that follow a ring's clock. */
    List<RingVolumeStatus> statuses() {
        List<RingVolumeStatus> all = new ArrayList<>();
        for (ServedVolume served : runners.keySet()) {
            volumes.numberOf(served)
                    .ifPresent(number -> turns.of(number, clock.nanos())
                            .ifPresent(turn -> all.add(status(
                                    number, turn, served.staged().get().io().counts()))));
        }
        return all;
    }

    private static RingVolumeStatus status(VolumeId volume, VolumeTurns.Turn turn, StagedCounts counts) {
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
                counts.journalBound(),
                counts.acceptedBytes(),
                counts.drainedBytes(),
                counts.lateSwitches(),
                spills);
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
