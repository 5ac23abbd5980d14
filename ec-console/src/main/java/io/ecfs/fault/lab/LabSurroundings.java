package io.ecfs.fault.lab;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.fault.inject.DatanodeLinks;
import io.ecfs.fault.inject.LabDisks;
import io.ecfs.fault.inject.UndoStack;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.LabCluster.DiskKind;
import io.ecfs.fault.victim.StoredVolume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Disks below the volumes of a lab's cluster, proxies before its datanodes, and the faults that last. */
final class LabSurroundings implements OwnCluster.Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(LabSurroundings.class);

    /** Volumes of a GiB would count as full from the start. */
    private static final List<String> SMALL_DISKS =
            List.of("namenode.settings.minFreeBytes=16m", "datanode.store.reserveBytes=8m");

    /** Damage of chunks is found by reading them. */
    private static final List<String> SCRUB = List.of("datanode.scrub.every=1s", "datanode.scrub.bytesPerSecond=128m");

    private static final List<String> PARITY_CHECK = List.of(
            "namenode.settings.parityCheck.period=10s", "namenode.settings.parityCheck.leastBytesPerSecond=64m");

    /** A chunk that moves takes its damage along, to a datanode that nobody watches. */
    private static final List<String> NO_MOVES = List.of("namenode.settings.mover.on=false");

    private final FaultProfile profile;
    private final UndoStack lasting;
    private final LabDisks disks;
    private final Map<String, DatanodeLinks> links = Collections.synchronizedMap(new LinkedHashMap<>());

    LabSurroundings(FaultProfile profile, UndoStack lasting) {
        this.profile = profile;
        this.lasting = lasting;
        this.disks = LabDisks.of(profile.cluster().disks());
    }

    LabDisks disks() {
        return disks;
    }

    DatanodeLinks links(String datanode) {
        return links.get(datanode);
    }

    @Override
    public List<String> before(Path directory, ClusterPlan plan) throws IOException {
        List<String> overrides = new ArrayList<>();
        for (ClusterPlan.DatanodePlan datanode : plan.datanodes()) {
            for (int volume = 0; volume < datanode.volumes(); volume++) {
                StoredVolume stored = new StoredVolume(datanode.id(), volume, datanode.rack());
                disks.make(stored, Lab.directory(directory, stored));
            }
            if (hurts(FaultKind.Target.LINK)) {
                DatanodeLinks its = new DatanodeLinks(datanode, plan.addresses());
                links.put(datanode.id(), its);
                overrides.addAll(its.overrides());
            }
        }
        if (hurts(FaultKind.Target.DISK)) {
            overrides.add("datanode.fault.on=true");
        }
        if (hurts(FaultKind.Target.CHUNK)) {
            overrides.addAll(NO_MOVES);
        }
        boolean readErrors = profile.faults().stream().anyMatch(step -> step.fault() == FaultKind.READ_ERRORS);
        if (hurts(FaultKind.Target.CHUNK) || readErrors) {
            overrides.addAll(SCRUB);
            overrides.addAll(PARITY_CHECK);
        }
        if (profile.cluster().disks() != DiskKind.DIR) {
            overrides.addAll(SMALL_DISKS);
        }
        return overrides;
    }

    private boolean hurts(FaultKind.Target target) {
        return profile.faults().stream().map(FaultStep::fault).anyMatch(fault -> fault.target() == target);
    }

    @Override
    public void stopping() {
        lasting.close().forEach(problem -> LOG.error("event=fault_not_undone {}", problem));
    }

    @Override
    public void stopped() {
        links.values().forEach(LabSurroundings::close);
        disks.close();
    }

    private static void close(DatanodeLinks links) {
        try {
            links.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
