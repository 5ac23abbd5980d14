package io.ecfs.namenode.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.datanode.DatanodeReport.Register;
import io.ecfs.namenode.rpc.Namenode;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A message by which a volume ceases to serve has its chunks compared at once, not a tick later. */
class NoticedVolumesTest {
    private final TestCluster cluster = new TestCluster(7, 6);
    private final PretendDatanode datanode = cluster.datanodes.get(1);
    private Namenode leader;

    @BeforeEach
    void aFileOnAllDatanodes() {
        cluster.ready();
        cluster.file("/f", TestCluster.LENGTH);
        cluster.time.advance(Duration.ofSeconds(2));
        leader = cluster.namenodes.get(cluster.leader());
        assertThat(audit()).isEqualTo(new UnderReplicationAudit(true, Optional.empty()));
    }

    private UnderReplicationAudit audit() {
        CompletableFuture<UnderReplicationAudit> answer = leader.auditLedger();
        cluster.await(answer::isDone);
        return answer.join();
    }

    @Test
    void aDatanodeThatRegistersAnewServesNothingBeforeItReports() {
        cluster.result(leader.datanode(datanode.register()));
        assertThat(audit().difference()).isEmpty();
    }

    @Test
    void aVolumeWithTooManyChunksServesNothing() {
        Register register = datanode.register();
        List<ChunkRecord> chunks = LongStream.rangeClosed(1, TestCluster.CHUNKS_PER_VOLUME + 1)
                .mapToObj(group -> new ChunkRecord(
                        new ChunkId(new GroupId(group), 0, 0), ChunkState.FINALISED, 4096, 4096, 4096, Stamp.NONE))
                .toList();
        assertThat(cluster.failure(leader.datanode(new DatanodeReport.FullReport(
                        datanode.id, datanode.uuid, register.sequence(), datanode.volume(), 99, 0, true, chunks))))
                .hasMessageContaining("chunksPerVolume");
        assertThat(audit().difference()).isEmpty();
    }
}
