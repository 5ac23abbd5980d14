package io.ecfs.sim.script;

import io.ecfs.fault.victim.PlacedGroup;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;

/** Where the namenode that has applied most places the chunks of the load. */
public final class PlacementFacts {
    private static final GroupId FIRST = new GroupId(1);

    private final Cluster cluster;
    private final TreeMap<VolumeId, StoredVolume> volumes = new TreeMap<>();

    public PlacementFacts(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Returns whether every volume of every datanode has its number. */
    public boolean complete() {
        int all = cluster.datanodes().stream()
                .mapToInt(host -> host.doors().size())
                .sum();
        if (volumes.size() < all && cluster.newest().isPresent()) {
            for (DatanodeFacts datanode : facts(MetadataView::datanodes)) {
                datanode.volumes().values().forEach(this::number);
            }
        }
        return volumes.size() == all;
    }

    private void number(VolumeId volume) {
        for (DatanodeHost host : cluster.datanodes()) {
            OptionalInt disk = host.diskOf(volume);
            if (disk.isPresent()) {
                volumes.put(volume, new StoredVolume(host.id().name(), disk.getAsInt(), host.rack()));
            }
        }
    }

    /** Sealed groups and open ones, in the order of their numbers. */
    Placement placement() {
        return new Placement(List.copyOf(volumes.values()), facts(this::groups));
    }

    private List<PlacedGroup> groups(MetadataView view) {
        List<PlacedGroup> groups = new ArrayList<>();
        view.groups(FIRST, group -> {
            placed(view, group).ifPresent(groups::add);
            return true;
        });
        return groups;
    }

    private Optional<PlacedGroup> placed(MetadataView view, GroupFacts group) {
        TreeMap<Integer, StoredVolume> chunks = new TreeMap<>();
        long longest = 0;
        for (ChunkOnVolume stored : group.stored()) {
            chunks.put(stored.chunk().index(), volumes.get(stored.volume()));
            longest = group.open()
                    ? longest
                    : Math.max(longest, group.chunkBytes(stored.chunk().index()));
        }
        long bytes = longest;
        return view.knownNamespace()
                .pathOf(group)
                .map(path -> new PlacedGroup(group.group(), path.toString(), group.policy(), bytes, chunks));
    }

    /** Returns whether all groups are sealed and have all chunks. */
    public boolean whole() {
        return placement().groups().stream()
                        .allMatch(group -> group.all().size() == group.policy().chunks())
                && facts(view -> view.count(Counter.OPEN_GROUPS)) == 0;
    }

    Optional<StoredVolume> volume(VolumeId number) {
        return Optional.ofNullable(volumes.get(number));
    }

    VolumeId number(StoredVolume volume) {
        return volumes.entrySet().stream()
                .filter(entry -> entry.getValue().equals(volume))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    List<StoredVolume> volumesOf(DatanodeHost host) {
        return volumes.values().stream()
                .filter(volume -> volume.datanode().equals(host.id().name()))
                .toList();
    }

    DatanodeHost host(String datanode) {
        return cluster.datanodes().stream()
                .filter(host -> host.id().name().equals(datanode))
                .findFirst()
                .orElseThrow();
    }

    /** Returns whether any chunk of the load lies on one of them. */
    boolean anyOn(Collection<StoredVolume> on) {
        return placement().groups().stream().anyMatch(group -> group.on(on).size() > 0);
    }

    /** Returns whether the facts still have the chunk there. */
    boolean has(ChunkOnVolume chunk) {
        return facts(view -> view.group(chunk.chunk().group()))
                .flatMap(group -> group.volumeOf(chunk.chunk()))
                .equals(Optional.of(chunk.volume()));
    }

    <T> T facts(Function<MetadataView, T> of) {
        try (MetadataView view = cluster.newest().orElseThrow().state().view()) {
            return of.apply(view);
        }
    }
}
