package io.ecfs.fault.inject;

import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.LabCluster;
import io.ecfs.fault.profile.LabCluster.DiskKind;
import io.ecfs.fault.profile.LabCluster.Shape;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the faults of a profile need of the machine and of the cluster. Pure. */
public final class Requirements {
    private Requirements() {}

    /** Why a profile cannot be run here, a line each; none when it can. Simulations need nothing. */
    public static List<String> missing(FaultProfile profile, Machine machine) {
        LabCluster cluster = profile.cluster();
        if (cluster.shape() == Shape.SIM) {
            return List.of();
        }
        Set<String> missing = new LinkedHashSet<>();
        of(cluster.disks(), machine).ifPresent(missing::add);
        when(profile.workload().cold() && !machine.root(), "workload.cold needs root: it empties the page cache")
                .ifPresent(missing::add);
        for (FaultStep step : profile.faults()) {
            of(step.fault(), cluster, machine)
                    .ifPresent(why -> missing.add(step.fault().word() + " " + why));
        }
        return new ArrayList<>(missing);
    }

    /** Whether some fault needs root or the device-mapper, for {@code validate}. */
    public static boolean needsRoot(FaultProfile profile) {
        return profile.cluster().shape() != Shape.SIM
                && !missing(profile, new Machine(false, true)).equals(missing(profile, new Machine(true, true)));
    }

    private static Optional<String> of(DiskKind disks, Machine machine) {
        return switch (disks) {
            case DIR -> Optional.empty();
            case TMPFS ->
                when(
                        !machine.root(),
                        "cluster.disks: tmpfs needs root: it mounts a file system; nearest is" + " 'disks: dir'");
            case DM ->
                when(!machine.root(), "cluster.disks: dm needs root; nearest is 'disks: dir'")
                        .or(() -> when(
                                !machine.deviceMapper(),
                                "cluster.disks: dm needs the device-mapper, which this kernel lacks; nearest is 'disks:"
                                        + " dir'"));
        };
    }

    private static Optional<String> of(FaultKind fault, LabCluster cluster, Machine machine) {
        boolean processes = cluster.shape() == Shape.PROCESSES;
        return switch (fault) {
            case KILL, STOP -> Optional.empty();
            case FREEZE -> when(!processes, "needs processes: nearest is 'shape: processes'");
            case PARTITION, PARTITION_IN, PARTITION_OUT, SLOW_LINK, LOSSY_LINK -> Optional.empty();
            case REMOVE_DEVICE ->
                when(
                        cluster.disks() == DiskKind.TMPFS,
                        "needs a directory that can be renamed, or the device-mapper: nearest is 'disks: dir'");
            case HANG_DEVICE, SLOW_DEVICE, READ_ERRORS, FILL_DISK -> Optional.empty();
            case READ_ONLY ->
                when(
                        !machine.root(),
                        "needs root: it mounts the file system read-only, or sets the immutable attribute of files");
            case FLIP_DATA, FLIP_CHECKSUM, CUT, DELETE, SWAP, FORGE -> Optional.empty();
        };
    }

    private static Optional<String> when(boolean condition, String why) {
        return condition ? Optional.of(why) : Optional.empty();
    }
}
