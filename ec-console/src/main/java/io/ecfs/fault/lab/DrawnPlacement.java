package io.ecfs.fault.lab;

import io.ecfs.env.Randomness;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.LabCluster;
import io.ecfs.fault.victim.PlacedGroup;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.namenode.placement.PlacementCandidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Where the namenode would place the groups of a profile's load: its own placement, drawn with the profile's seed. */
public final class DrawnPlacement {
    /** Groups that are drawn at most: more tell no more about the budget. */
    private static final int MOST_GROUPS = 2_000;

    private static final long FREE_BYTES = 1L << 40;

    private DrawnPlacement() {}

    public static Placement of(FaultProfile profile, Policy policy) {
        LabCluster cluster = profile.cluster();
        List<StoredVolume> volumes = new ArrayList<>();
        List<PlacementCandidate> candidates = new ArrayList<>();
        for (int datanode = 0; datanode < cluster.datanodes(); datanode++) {
            String rack = "/rack" + datanode % cluster.racks();
            List<PlacementCandidate.Volume> its = new ArrayList<>();
            for (int volume = 0; volume < cluster.volumes(); volume++) {
                volumes.add(new StoredVolume("dn" + datanode, volume, rack));
                its.add(new PlacementCandidate.Volume(
                        new VolumeId(volumes.size()), VolumeState.HEALTHY, FREE_BYTES, 0));
            }
            candidates.add(new PlacementCandidate(
                    new DatanodeId("dn" + datanode), rack, DatanodeState.HEALTHY, AdminState.State.IN_SERVICE, its));
        }
        return new Placement(volumes, groups(profile, policy, volumes, candidates));
    }

    private static List<PlacedGroup> groups(
            FaultProfile profile, Policy policy, List<StoredVolume> volumes, List<PlacementCandidate> candidates) {
        Randomness random = Randomness.over(new SplittableRandom(profile.seed()));
        io.ecfs.namenode.placement.Placement placement = new io.ecfs.namenode.placement.Placement(0);
        long mostBytes = Policy.MAX_CHUNK_BYTES * policy.dataChunks();
        List<PlacedGroup> groups = new ArrayList<>();
        for (int file = 0; file < profile.workload().files(); file++) {
            for (long left = profile.workload().bytes(); left > 0 && groups.size() < MOST_GROUPS; left -= mostBytes) {
                SortedMap<Integer, StoredVolume> chunks = new TreeMap<>();
                for (VolumeId volume : placement
                        .choose(candidates, Set.of(), policy.chunks(), random)
                        .volumes()) {
                    chunks.put(chunks.size(), volumes.get(volume.value() - 1));
                }
                groups.add(new PlacedGroup(
                        new GroupId(groups.size() + 1L),
                        "/fault/f" + file,
                        policy,
                        new GroupLayout(policy, Math.min(left, mostBytes)).chunkBytes(0),
                        chunks));
            }
        }
        return groups;
    }
}
