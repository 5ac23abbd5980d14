package io.ecfs.sim.trouble;

import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.Operator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * In a settled world, gives one parity chunk of each group of one datanode wrong bytes with right checksums, which no
 * reader sees, and has that datanode drained: what is computed from wrong parity must not take the place of the chunks
 * that are right.
 */
public final class WrongParity {
    private final Cluster cluster;

    public WrongParity(Cluster cluster) {
        this.cluster = cluster;
    }

    /** @return false when there is no group to do it with */
    public boolean begin(SplittableRandom random) {
        List<GroupFacts> groups = codedGroups();
        Optional<DatanodeHost> fullest = cluster.datanodes().stream()
                .max(Comparator.comparingLong(host -> dataChunks(host, groups).size()));
        List<GroupFacts> spoiled = fullest.map(host -> dataChunks(host, groups)).orElse(List.of());
        for (GroupFacts group : spoiled) {
            ChunkOnVolume parity = group.stored(group.policy().dataChunks()).orElseThrow();
            host(parity).orElseThrow().falsify(parity.volume(), parity.chunk());
        }
        if (!spoiled.isEmpty()) {
            new Operator(cluster.operator().client(), random).decommission(fullest.orElseThrow());
        }
        return !spoiled.isEmpty();
    }

    /** Those with bytes of which every chunk is there, and no reader needs parity. */
    private List<GroupFacts> codedGroups() {
        List<GroupFacts> coded = new ArrayList<>();
        try (MetadataView facts = cluster.newest().orElseThrow().state().view()) {
            facts.groups(new GroupId(1), group -> {
                boolean whole = group.stored().size() == group.policy().chunks()
                        && group.stored().stream()
                                .allMatch(stored -> host(stored).isPresent());
                if (!group.open()
                        && group.length() > 0
                        && whole
                        && group.policy().dataChunks() > 1) {
                    coded.add(group);
                }
                return true;
            });
        }
        return coded;
    }

    private List<GroupFacts> dataChunks(DatanodeHost host, List<GroupFacts> groups) {
        return groups.stream()
                .filter(group -> group.stored().stream()
                        .filter(stored ->
                                stored.chunk().index() < group.policy().dataChunks())
                        .anyMatch(stored -> host(stored).equals(Optional.of(host))))
                .toList();
    }

    private Optional<DatanodeHost> host(ChunkOnVolume stored) {
        return cluster.datanodes().stream()
                .filter(host -> host.find(stored.volume(), stored.chunk())
                        .filter(record -> record.state() == ChunkState.FINALISED && record.bytes() > 0)
                        .isPresent())
                .findFirst();
    }
}
