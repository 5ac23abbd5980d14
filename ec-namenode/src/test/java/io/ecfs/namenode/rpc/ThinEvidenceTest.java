package io.ecfs.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.report.ClusterReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a namenode believes of chunks when those who should know are away, or back with less than before. */
class ThinEvidenceTest {
    private final TestCluster cluster = new TestCluster(2, 6);

    private ClusterReport.Volume volume(PretendDatanode datanode) {
        return cluster.report().datanodes().stream()
                .filter(d -> d.id().equals(datanode.id))
                .findFirst()
                .orElseThrow()
                .volumes()
                .get(0);
    }

    private void restartNamenodes() {
        List.of("nn0", "nn1", "nn2").forEach(cluster::crash);
        List.of("nn0", "nn1", "nn2").forEach(cluster::start);
        cluster.elect("nn2");
    }

    @Test
    void aVolumeThatDoesNotComeBackWithItsDatanodeServesNothing() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        cluster.time.advance(Duration.ofSeconds(2));
        PretendDatanode poorer = cluster.at(group.chunks().get(2));
        poorer.volumeLost = true;
        poorer.restart();
        cluster.time.advance(Duration.ofSeconds(3));
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(0, 1, 0, 0));
        assertThat(cluster.locate("/f").groups().get(0).chunk(2).orElseThrow().state())
                .isEqualTo(ChunkLocation.State.UNREACHABLE);
        assertThat(volume(poorer).state()).isEqualTo(VolumeState.UNKNOWN);
        poorer.volumeLost = false;
        poorer.restart();
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(1, 0, 0, 0)));
    }

    @Test
    void aVolumeThatWasNeverHeardOfIsUnknownAndNotFailed() {
        cluster.ready();
        PretendDatanode silent = cluster.datanodes.get(1);
        silent.alive = false;
        restartNamenodes();
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(volume(silent).state()).isEqualTo(VolumeState.UNKNOWN);
        assertThat(volume(cluster.datanodes.get(2)).state()).isEqualTo(VolumeState.HEALTHY);
    }

    @Test
    void whatARestartedDatanodeHeldBeforeProvesNothingUntilItReports() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup sealed = cluster.write(created.first(), TestCluster.LENGTH, 4);
        ChunkLocation last = created.first().chunks().get(4);
        cluster.complete("writer", created.status().inode(), sealed);
        cluster.time.advance(Duration.ofSeconds(2));
        // It lost a chunk while it was down, so only k chunks are left.
        ChunkLocation lost = created.first().chunks().get(0);
        cluster.at(lost).chunks.remove(lost.chunk());
        cluster.at(lost).reportsHeld = true;
        cluster.at(lost).restart();
        cluster.time.advance(Duration.ofSeconds(2));
        PretendDatanode spare = cluster.at(last);
        spare.put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1, Stamp.NONE));
        cluster.time.advance(Duration.ofSeconds(15));
        assertThat(spare.chunks).containsKey(last.chunk());
        cluster.at(lost).reportsHeld = false;
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(spare.chunks).containsKey(last.chunk());
    }

    @Test
    void recoveryIgnoresFinishedChunksThatMayBeLost() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 2, 2, 2, 2, 2);
        cluster.write(created.first(), TestCluster.LENGTH, 3);
        cluster.time.advance(Duration.ofSeconds(1));
        // The power fails where the client ran and one datanode stands: of its chunk only two stripes were on disk.
        ChunkLocation cut = created.first().chunks().get(0);
        PretendDatanode back = cluster.at(cut);
        back.alive = false;
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        cluster.time.advance(Duration.ofSeconds(5));
        long bytes = 2L * TestCluster.POLICY.cellBytes();
        back.chunks.put(
                cut.chunk(),
                new ChunkRecord(
                        cut.chunk(),
                        ChunkState.BEING_WRITTEN,
                        bytes,
                        bytes,
                        -1,
                        cluster.stampOf(cut.chunk().group())));
        back.restart();
        cluster.await(() -> !cluster.status("/f").open());
        cluster.await(() -> cluster.groups().lost() == 0
                && cluster.groups().degraded() + cluster.groups().healthy() == 1);
        assertThat(cluster.status("/f").length()).isEqualTo(2 * TestCluster.POLICY.stripeBytes());
    }

    @Test
    void recoveryDropsNothingWhileThoseWhoDoNotAnswerMayHoldIt() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("gone", "/f");
        cluster.writeOpen(created.first(), 2, 2, 2, 2, 2);
        ChunkLocation vanished = created.first().chunks().get(2);
        cluster.at(vanished).chunks.remove(vanished.chunk());
        cluster.time.advance(Duration.ofSeconds(1));
        for (int i = 3; i < 5; i++) {
            cluster.at(created.first().chunks().get(i)).alive = false;
        }
        cluster.time.advance(Duration.ofSeconds(11));
        cluster.call(new NamespaceRequest.RecoverLease(cluster.request("other"), new FilePath("/f")));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(cluster.status("/f").open()).isTrue();
        cluster.at(created.first().chunks().get(3)).restart();
        cluster.await(() -> !cluster.status("/f").open());
        assertThat(cluster.status("/f").length()).isEqualTo(2 * TestCluster.POLICY.stripeBytes());
    }

    @Test
    void groupsLostForGoodDoNotKeepAClusterInSafeMode() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        cluster.time.advance(Duration.ofSeconds(2));
        ChunkLocation awaited = group.chunks().get(4);
        for (ChunkLocation lost : List.of(group.chunks().get(0), group.chunks().get(1), awaited)) {
            cluster.at(lost).chunks.remove(lost.chunk());
        }
        PretendDatanode late = cluster.at(awaited);
        late.alive = false;
        restartNamenodes();
        cluster.time.advance(Duration.ofMinutes(3));
        assertThat(cluster.report().safeMode()).isTrue();
        assertThat(cluster.report().safeModeReason()).contains("waiting for 1 volumes");
        late.restart();
        cluster.await(() -> !cluster.report().safeMode());
        assertThat(cluster.groups()).isEqualTo(new ClusterReport.Groups(0, 0, 1, 0));
        cluster.delete("/f");
        cluster.await(() -> cluster.groups().equals(new ClusterReport.Groups(0, 0, 0, 0)));
    }

    /** A broken connection may deliver late what is no longer so. */
    @Test
    void aChangeReportThatWasOvertakenByALaterOneChangesNothing() {
        cluster.ready();
        LocatedGroup group = cluster.file("/f", TestCluster.LENGTH).first();
        cluster.time.advance(Duration.ofSeconds(2));
        PretendDatanode holder = cluster.at(group.chunks().get(2));
        ChunkId chunk = group.chunks().get(2).chunk();
        ChunkRecord record = holder.chunks.get(chunk);
        VolumeId volume = group.chunks().get(2).volume();
        long later = holder.register().sequence() + 1000;
        for (String namenode : cluster.namenodes.keySet()) {
            cluster.namenodes
                    .get(namenode)
                    .datanode(new DatanodeReport.ChangeReport(
                            holder.id, holder.uuid, later, List.of(new ChunkChange.Gone(volume, chunk))));
            cluster.namenodes
                    .get(namenode)
                    .datanode(new DatanodeReport.ChangeReport(
                            holder.id, holder.uuid, later - 1, List.of(new ChunkChange.Present(volume, record))));
        }
        cluster.time.advance(Duration.ofMillis(100));
        assertThat(cluster.locate("/f").groups().get(0).chunk(2).orElseThrow().state())
                .isEqualTo(ChunkLocation.State.MISSING);
    }
}
