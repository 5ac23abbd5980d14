package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.SetEncoding.PolicyChange;
import io.ecfs.message.namespace.NamespaceRequest.SetRing;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BelowTheRuleTest {
    private final TestCluster cluster = new TestCluster(5, 6, TestCluster.RECOVERY).ready();

    /** A ring of six colours whose twenty groups tolerate one writer, and are to tolerate two. */
    private void create() {
        List<VolumeId> volumes = IntStream.rangeClosed(1, 6)
                .mapToObj(number -> cluster.datanodes.get(number).volume())
                .toList();
        cluster.call(new NamespaceRequest.CreateRing(
                cluster.request("admin"), "flash", 6, Optional.of(1), 10_000, volumes, List.of()));
        cluster.call(new NamespaceRequest.Mkdirs(cluster.request("admin"), new FilePath("/hot"), 0755, true));
        cluster.call(new NamespaceRequest.SetDirectoryRing(
                cluster.request("admin"),
                new FilePath("/hot"),
                Optional.of("flash"),
                Optional.of(new PolicyChange(Optional.of(Policy.parse("rs-2-1-4k"))))));
        for (int i = 0; i < 20; i++) {
            cluster.file("/hot/f" + i, TestCluster.LENGTH, Policy.parse("rs-2-1-4k"));
        }
        cluster.call(new SetRing(
                cluster.request("admin"), "flash", Optional.of(SetRing.AUTO), Optional.empty(), Optional.empty()));
    }

    @Test
    void theWalkGoesOnWithTheChunkAtWhichItStopped() {
        create();
        try (MetadataView view = cluster.facts(cluster.leader())) {
            RingPicture rings = new RingPicture(view.rings(), view.ringMembers(), view::mostWritersOfDirectories);
            List<ChunkOnVolume> all = rings.members(view.rings().get(0).ring()).stream()
                    .flatMap(member -> view.chunksOn(member.volume(), Optional.empty(), 100).stream())
                    .toList();
            assertThat(all).hasSize(60);
            BelowTheRule walk = new BelowTheRule(
                    new NamenodeContext(cluster.time.environment(), cluster.time.scheduler("walk"), null, () -> view));
            List<ChunkOnVolume> walked = new ArrayList<>();
            for (int round = 0; round < all.size() && walked.size() < all.size(); round++) {
                List<ChunkOnVolume> next = walk.next(view, rings);
                next.stream().limit(4).forEach(chunk -> {
                    walked.add(chunk);
                    walk.advance(chunk);
                });
            }
            assertThat(walked).containsExactlyElementsOf(all);
        }
    }
}
