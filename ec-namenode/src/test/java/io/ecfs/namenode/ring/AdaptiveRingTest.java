package io.ecfs.namenode.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.SetEncoding.PolicyChange;
import io.ecfs.message.namespace.NamespaceRequest.SetRing;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A ring of six colours whose writers follow the demand; each of twelve datanodes has one volume. */
class AdaptiveRingTest {
    private static final int COLOURS = 6;

    private final TestCluster cluster = new TestCluster(5, 12, TestCluster.RECOVERY).ready();

    private List<VolumeId> volumes(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(number -> cluster.datanodes.get(number).volume())
                .toList();
    }

    private void create(int volumes, String policy) {
        cluster.call(new NamespaceRequest.CreateRing(
                cluster.request("admin"), "flash", COLOURS, Optional.empty(), 10_000, volumes(1, volumes), List.of()));
        directory("/hot", policy);
    }

    private void directory(String path, String policy) {
        cluster.call(new NamespaceRequest.Mkdirs(cluster.request("admin"), new FilePath(path), 0755, true));
        cluster.call(new NamespaceRequest.SetDirectoryRing(
                cluster.request("admin"),
                new FilePath(path),
                Optional.of("flash"),
                Optional.of(new PolicyChange(Optional.of(Policy.parse(policy))))));
    }

    private RingState ring() {
        return ((NamespaceReply.Rings) cluster.call(new NamespaceRequest.GetRings()))
                .rings()
                .get(0);
    }

    private SetRing writers(int writers) {
        return new SetRing(cluster.request("admin"), "flash", Optional.of(writers), Optional.empty(), Optional.empty());
    }

    /** Takes so many writers, as the demand of three rotations has it. */
    private void adapt(int writers) {
        cluster.call(writers(writers));
        cluster.call(writers(SetRing.AUTO));
        assertThat(ring().writers()).isEqualTo(writers);
        assertThat(ring().adaptive()).isTrue();
    }

    private void file(String path, String policy) {
        cluster.file(path, TestCluster.LENGTH, Policy.parse(policy));
        assertThat(cluster.locate(path).groups().get(0).ring()).contains(ring().ring());
    }

    private List<VolumeId> on(String path) {
        return cluster.locate(path).groups().get(0).chunks().stream()
                .map(ChunkLocation::volume)
                .toList();
    }

    @Test
    void groupsOfAQuietHourTolerateWhatThePolicyTolerates() {
        create(12, "rs-2-1-4k");
        adapt(1);
        for (int i = 0; i < 20; i++) {
            file("/hot/f" + i, "rs-2-1-4k");
        }
        assertThat(ring().groupsByMostWriters()).containsExactly(0L, 0L, 20L, 0L, 0L, 0L);
        adapt(2);
    }

    /** One of its directories tolerates fewer writers than the other: more would never be taken. */
    @Test
    void thePolicyThatToleratesFewestBoundsWhatGroupsAreToTolerate() {
        create(12, "rs-3-3-4k");
        directory("/cold", "rs-2-1-4k");
        adapt(1);
        file("/hot/f", "rs-3-3-4k");
        file("/cold/f", "rs-2-1-4k");
        adapt(2);
    }

    /** Of colour 2 one volume remains: with no other colour the group tolerates two writers, though one. */
    @Test
    void aLostChunkIsRebuiltWhereItsGroupToleratesWhatThePolicyTolerates() {
        create(12, "rs-3-3-4k");
        adapt(1);
        for (int i = 0; i < 10; i++) {
            file("/hot/f" + i, "rs-3-3-4k");
        }
        cluster.datanodes.get(3).alive = false;
        cluster.await(
                () -> IntStream.range(0, 10)
                        .allMatch(i -> on("/hot/f" + i).size() == 6
                                && !on("/hot/f" + i).contains(volumes(3, 3).get(0))),
                Duration.ofMinutes(10));
        assertThat(ring().groupsByMostWriters()).containsExactly(0L, 0L, 0L, 10L, 0L, 0L);
        adapt(3);
    }

    @Test
    void theChunksOfARemovedVolumeStayWhereTheirGroupsTolerateWhatThePolicyTolerates() {
        create(12, "rs-3-3-4k");
        adapt(1);
        for (int i = 0; i < 10; i++) {
            file("/hot/f" + i, "rs-3-3-4k");
        }
        VolumeId removed = volumes(4, 4).get(0);
        cluster.call(new NamespaceRequest.AssignVolumes(
                cluster.request("admin"), "flash", List.of(), List.of(), List.of(removed)));
        cluster.await(
                () -> ring().volumes().stream().map(RingVolume::volume).noneMatch(removed::equals),
                Duration.ofMinutes(10));
        assertThat(ring().groupsByMostWriters()).containsExactly(0L, 0L, 0L, 10L, 0L, 0L);
        adapt(3);
    }

    /**
     * The only volume of colour 5 dies: its chunks are rebuilt where one writer is tolerated. Then there is another.
     */
    @Test
    void groupsThatTolerateFewerAreMovedUntilTheRingCanGoUp() {
        create(11, "rs-3-3-4k");
        adapt(1);
        for (int i = 0; i < 5; i++) {
            file("/hot/f" + i, "rs-3-3-4k");
        }
        cluster.datanodes.get(6).alive = false;
        cluster.await(
                () -> IntStream.range(0, 5)
                        .noneMatch(i -> on("/hot/f" + i).contains(volumes(6, 6).get(0))),
                Duration.ofMinutes(10));
        assertThat(ring().groupsByMostWriters().get(3)).isZero();
        cluster.call(new NamespaceRequest.AssignVolumes(
                cluster.request("admin"), "flash", volumes(12, 12), List.of(), List.of()));
        cluster.await(
                () -> ring().groupsByMostWriters().equals(List.of(0L, 0L, 0L, 5L, 0L, 0L)), Duration.ofMinutes(20));
        adapt(3);
    }

    /** While all volumes work. */
    @Test
    void afterAnyChangesAndPlacementsTheRingCanGoUpToWhatThePoliciesTolerate() {
        List<String> policies = List.of("rs-2-1-4k", "rs-3-3-4k", "rs-2-2-4k", "replication-2", "rs-4-2-4k");
        create(12, policies.get(0));
        for (String policy : policies) {
            directory("/" + policy, policy);
        }
        int most = policies.stream()
                .mapToInt(policy -> Ring.mostWriters(Policy.parse(policy).code(), COLOURS))
                .min()
                .orElseThrow();
        assertThat(most).isEqualTo(2);
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 120; i++) {
            if (random.nextInt(4) == 0) {
                adapt(1 + random.nextInt(most));
            } else {
                String policy = policies.get(random.nextInt(policies.size()));
                file("/" + policy + "/f" + i, policy);
            }
        }
        adapt(1);
        adapt(most);
        assertThat(cluster.refusal(writers(most + 1)).getMessage()).contains("nearest is " + most);
    }
}
