package io.ecfs.sim.script;

import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.NamenodeHost;
import io.ecfs.sim.cluster.SimDisk;
import io.ecfs.sim.cluster.SimDisk.Condition;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.network.LinkFault;
import io.ecfs.sim.network.SimNetwork;
import io.ecfs.sim.time.SimulationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Does to simulated machines what a kind of fault does to real ones, and undoes it. */
final class Injector {
    /** The machines of a rack go within this time. */
    private static final long RACK = Duration.ofMillis(50).toNanos();

    private final World world;
    private final Cluster cluster;
    private final PlacementFacts facts;
    private final DamagedChunks chunks;
    private final SplittableRandom random;
    private final Consumer<DatanodeHost> restart;

    /** @param restart has a datanode started again that has given a disk up which is sound by now */
    Injector(
            World world,
            Cluster cluster,
            PlacementFacts facts,
            SplittableRandom random,
            Consumer<DatanodeHost> restart) {
        this.world = world;
        this.cluster = cluster;
        this.facts = facts;
        this.chunks = new DamagedChunks(facts, random.split());
        this.random = random;
        this.restart = restart;
    }

    /**
     * Injects a fault that has its victims.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when there is no chunk to damage on a victim
     */
    void inject(ScriptedFault fault) throws EcfsException {
        switch (fault.kind().target()) {
            case PROCESS -> {
                if (fault.ofNamenodes()) {
                    namenodes(fault).forEach(namenode -> hurt(fault.kind(), namenode));
                } else {
                    staggered(fault, host -> hurt(fault.kind(), host));
                }
            }
            case LINK -> staggered(fault, host -> link(fault.step(), host.host(), true));
            case DISK -> staggered(fault, host -> disks(fault, host).forEach(disk -> hurt(fault.step(), disk)));
            case CHUNK -> chunks.damage(fault);
        }
    }

    /** Undoes what {@link #inject} did, or was about to do. */
    void undo(ScriptedFault fault) {
        switch (fault.kind().target()) {
            case PROCESS -> {
                if (fault.ofNamenodes()) {
                    namenodes(fault).forEach(namenode -> mend(fault.kind(), namenode));
                } else {
                    datanodes(fault).forEach(host -> mend(fault.kind(), host));
                }
            }
            case LINK -> datanodes(fault).forEach(host -> link(fault.step(), host.host(), false));
            case DISK ->
                datanodes(fault).forEach(host -> {
                    disks(fault, host).forEach(disk -> mend(fault.kind(), disk));
                    if (fault.volumes().stream()
                            .anyMatch(volume -> of(volume, host) && host.givenUp(volume.number()))) {
                        restart.accept(host);
                    }
                });
            case CHUNK -> undoDamage(fault);
        }
    }

    private void staggered(ScriptedFault fault, Consumer<DatanodeHost> one) {
        for (DatanodeHost host : datanodes(fault)) {
            if (fault.step().victims().level() == Level.RACK) {
                world.time().after(random.nextLong(RACK), () -> {
                    if (fault.lasts()) {
                        one.accept(host);
                    }
                });
            } else {
                one.accept(host);
            }
        }
    }

    private List<DatanodeHost> datanodes(ScriptedFault fault) {
        return fault.volumes().stream()
                .map(StoredVolume::datanode)
                .distinct()
                .map(facts::host)
                .toList();
    }

    private List<NamenodeHost> namenodes(ScriptedFault fault) {
        return cluster.namenodes().stream()
                .filter(namenode -> fault.victims().contains(namenode.id()))
                .toList();
    }

    private List<SimDisk> disks(ScriptedFault fault, DatanodeHost host) {
        return fault.volumes().stream()
                .filter(volume -> of(volume, host))
                .map(volume -> host.doors().get(volume.number()))
                .toList();
    }

    private static boolean of(StoredVolume volume, DatanodeHost host) {
        return volume.datanode().equals(host.id().name());
    }

    private static void hurt(FaultKind kind, DatanodeHost host) {
        if (kind == FaultKind.FREEZE) {
            host.freeze();
        } else if (host.up()) {
            host.crash(Loss.NOTHING);
        }
    }

    private static void mend(FaultKind kind, DatanodeHost host) {
        if (kind == FaultKind.FREEZE) {
            host.thaw();
        } else if (!host.up()) {
            host.start();
        }
    }

    private static void hurt(FaultKind kind, NamenodeHost host) {
        if (kind == FaultKind.FREEZE) {
            host.freeze();
        } else if (host.up()) {
            host.crash(false);
        }
    }

    private static void mend(FaultKind kind, NamenodeHost host) {
        if (kind == FaultKind.FREEZE) {
            host.thaw();
        } else if (!host.up()) {
            host.start();
        }
    }

    private void link(FaultStep step, String host, boolean hurt) {
        SimNetwork network = world.network();
        switch (step.fault()) {
            case PARTITION -> {
                if (hurt) {
                    network.isolate(host);
                } else {
                    network.rejoin(host);
                }
            }
            case PARTITION_IN -> network.receives(host, !hurt);
            case PARTITION_OUT -> network.sends(host, !hurt);
            case SLOW_LINK -> network.link(host, hurt ? new LinkFault(step.delay(), 0) : LinkFault.NONE);
            case LOSSY_LINK -> network.link(host, hurt ? new LinkFault(Duration.ZERO, step.loss()) : LinkFault.NONE);
            default -> throw new IllegalArgumentException(step.fault() + " is no fault of a link");
        }
    }

    private static void hurt(FaultStep step, SimDisk disk) {
        switch (step.fault()) {
            case REMOVE_DEVICE -> disk.become(Condition.GONE);
            case READ_ERRORS -> disk.become(Condition.UNREADABLE);
            case FILL_DISK -> disk.become(Condition.FULL);
            case READ_ONLY -> disk.become(Condition.READ_ONLY);
            case HANG_DEVICE -> disk.hang(true);
            case SLOW_DEVICE -> disk.slow(step.delay());
            default -> throw new IllegalArgumentException(step.fault() + " is no fault of a disk");
        }
    }

    private static void mend(FaultKind kind, SimDisk disk) {
        switch (kind) {
            case HANG_DEVICE -> disk.hang(false);
            case SLOW_DEVICE -> disk.slow(Duration.ZERO);
            default -> disk.become(Condition.SOUND);
        }
    }

    /** What the cluster has not replaced is put back, and its datanode reads it anew. */
    private void undoDamage(ScriptedFault fault) {
        for (ChunkDamage damage : fault.damage()) {
            if (facts.has(damage.chunk())) {
                try {
                    damage.undo();
                } catch (IOException e) {
                    throw new SimulationFailure("chunk " + damage.chunk() + " cannot be put back", e);
                }
                facts.volume(damage.chunk().volume())
                        .map(volume -> facts.host(volume.datanode()))
                        .ifPresent(restart);
            }
        }
    }

    static EcfsException refused(String why) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, why);
    }
}
