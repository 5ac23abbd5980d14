package io.ecfs.namenode.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.report.ClusterReport.Groups;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Chunks that a group was sealed without, that are longer than it, or whose group is gone. */
class LeftoverChunksTest {
    private final TestCluster cluster = new TestCluster(1, 6);

    @Test
    void aChunkLeftOutOfASealIsAdoptedWhenItComesBackWhole() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup all = cluster.write(created.first(), TestCluster.LENGTH, 5);
        SealedGroup four =
                new SealedGroup(all.group(), TestCluster.LENGTH, all.finished().subList(0, 4));
        PretendDatanode late = cluster.at(created.first().chunks().get(4));
        late.alive = false;
        cluster.complete("writer", created.status().inode(), four);
        cluster.time.advance(Duration.ofSeconds(20));
        assertThat(cluster.groups()).isEqualTo(new Groups(0, 1, 0, 0));
        late.restart();
        cluster.await(() -> cluster.groups().equals(new Groups(1, 0, 0, 0)));
    }

    /** Its writer had finished it when the others still lacked the tail. */
    @Test
    void aLongerChunkIsAdoptedWhereTheGroupEndsWithAStripe() {
        NamespaceReply.Created created = recoveredTo(2 * TestCluster.POLICY.stripeBytes());
        ChunkLocation late = created.first().chunks().get(4);
        cluster.at(late)
                .put(new ChunkRecord(
                        late.chunk(), ChunkState.FINALISED, 8192 + 320, 8192 + 320, TestCluster.LENGTH, Stamp.NONE));
        cluster.await(() -> cluster.groups().equals(new Groups(1, 0, 0, 0)));
    }

    @Test
    void aLongerChunkIsNotAdoptedWhereTheGroupHasATail() {
        NamespaceReply.Created created = recoveredTo(TestCluster.LENGTH);
        ChunkLocation late = created.first().chunks().get(4);
        long longer = TestCluster.LENGTH + TestCluster.POLICY.stripeBytes();
        cluster.at(late)
                .put(new ChunkRecord(late.chunk(), ChunkState.FINALISED, 12288 + 320, 12288 + 320, longer, Stamp.NONE));
        cluster.await(() -> !cluster.at(late).chunks.containsKey(late.chunk()));
        assertThat(cluster.groups()).isEqualTo(new Groups(0, 1, 0, 0));
    }

    /** A closed file of one group of this length, which lacks its last chunk. */
    private NamespaceReply.Created recoveredTo(long length) {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        cluster.complete("writer", created.status().inode(), cluster.write(created.first(), length, 4));
        cluster.time.advance(Duration.ofSeconds(2));
        return created;
    }

    @Test
    void aStaleChunkGoesOnlyWhenTheGroupDoesNotNeedIt() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup sealed = cluster.write(created.first(), TestCluster.LENGTH, 4);
        ChunkLocation last = created.first().chunks().get(4);
        PretendDatanode stale = cluster.at(last);
        stale.put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1, Stamp.NONE));
        cluster.complete("writer", created.status().inode(), sealed);
        // k+1 = 4 chunks are live: the stale one may go.
        cluster.await(() -> !stale.chunks.containsKey(last.chunk()));
        cluster.await(() -> cluster.garbage() == 0);

        cluster.at(created.first().chunks().get(0)).alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        stale.put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1, Stamp.NONE));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(stale.chunks).containsKey(last.chunk());
    }

    /** What is wrong with one of the chunks whose number would allow to delete another one. */
    private enum Flaw {
        SHORT,
        OF_ANOTHER_LENGTH,
        OF_ANOTHER_GROUP,
        CORRUPT,
        NOT_FINISHED,
        NOT_REPORTED_SINCE_A_RESTART,
        ON_A_FAILED_VOLUME
    }

    // SeaweedFS #9490, #9493, #10768, #10769
    @ParameterizedTest
    @EnumSource
    void aChunkIsRetainedWhileTheOthersAreNotWhole(Flaw flaw) {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup sealed = cluster.write(created.first(), TestCluster.LENGTH, 4);
        ChunkLocation last = created.first().chunks().get(4);
        PretendDatanode spare = cluster.at(last);
        cluster.complete("writer", created.status().inode(), sealed);
        ChunkLocation flawed = created.first().chunks().get(0);
        PretendDatanode holder = cluster.at(flawed);
        ChunkRecord sound = holder.chunks.get(flawed.chunk());
        long bytes = sound.bytes();
        switch (flaw) {
            case SHORT ->
                holder.put(new ChunkRecord(
                        flawed.chunk(), ChunkState.FINALISED, bytes - 1, bytes - 1, TestCluster.LENGTH, Stamp.NONE));
            case OF_ANOTHER_LENGTH ->
                holder.put(new ChunkRecord(
                        flawed.chunk(), ChunkState.FINALISED, bytes, bytes, TestCluster.LENGTH - 1, Stamp.NONE));
            case OF_ANOTHER_GROUP -> holder.put(PretendDatanode.stamped(sound, sound.stamp() + 1));
            case CORRUPT ->
                holder.put(new ChunkRecord(
                        flawed.chunk(), ChunkState.CORRUPT, bytes, bytes, TestCluster.LENGTH, Stamp.NONE));
            case NOT_FINISHED ->
                holder.put(new ChunkRecord(flawed.chunk(), ChunkState.BEING_WRITTEN, bytes, bytes, -1, Stamp.NONE));
            case NOT_REPORTED_SINCE_A_RESTART -> {
                holder.reportsHeld = true;
                holder.restart();
            }
            case ON_A_FAILED_VOLUME -> holder.state = VolumeState.FAILED;
        }
        cluster.time.advance(Duration.ofSeconds(5));
        spare.put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1, Stamp.NONE));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(spare.chunks).as("k other chunks are proven").containsKey(last.chunk());

        holder.reportsHeld = false;
        holder.state = VolumeState.HEALTHY;
        holder.restart();
        holder.put(sound);
        cluster.await(() -> !spare.chunks.containsKey(last.chunk()));
    }

    @Test
    void aChunkIsDeletedWhenItsGroupIsSealedWithoutIt() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup sealed = cluster.write(created.first(), TestCluster.LENGTH, 4);
        ChunkLocation last = created.first().chunks().get(4);
        cluster.at(last).put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1, Stamp.NONE));
        cluster.time.advance(Duration.ofSeconds(10));
        cluster.complete("writer", created.status().inode(), sealed);
        cluster.await(() -> !cluster.at(last).chunks.containsKey(last.chunk()));
        cluster.await(() -> cluster.garbage() == 0);
    }

    @Test
    void aGroupThatItsWriterGaveUpStaysLongEnoughToBeCopied() {
        cluster.ready();
        NamespaceReply.Created created = givenUp();
        PretendDatanode source = cluster.at(created.first().chunks().get(0));
        for (int minute = 0; minute < 9; minute++) {
            cluster.time.advance(Duration.ofMinutes(1));
            cluster.call(new NamespaceRequest.RenewLease("writer"));
            assertThat(source.chunks)
                    .containsKey(created.first().chunks().get(0).chunk());
        }
        cluster.time.advance(Duration.ofMinutes(1));
        cluster.call(new NamespaceRequest.RenewLease("writer"));
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()));
    }

    @Test
    void aGroupThatItsWriterGaveUpIsDeletedWhenTheFileIsClosed() {
        cluster.ready();
        NamespaceReply.Created created = givenUp();
        cluster.time.advance(Duration.ofSeconds(30));
        assertThat(cluster.datanodes.values().stream().filter(d -> !d.chunks.isEmpty()))
                .hasSize(3);
        cluster.call(new NamespaceRequest.AbandonFile(
                cluster.request("writer"), created.status().inode()));
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()));
    }

    /** A file whose writer wrote a stripe, then asked for another group instead. */
    private NamespaceReply.Created givenUp() {
        NamespaceReply.Created created = cluster.create("writer", "/f");
        cluster.writeOpen(created.first(), 1, 1, 1);
        SealedGroup dropped = new SealedGroup(created.first().group(), 0, List.of());
        cluster.call(new NamespaceRequest.AddGroup(
                cluster.request("writer"), created.status().inode(), Optional.of(dropped), List.of()));
        return created;
    }

    @Test
    void onlyChunksOfGroupsThatWereAllocatedAreDeleted() {
        cluster.ready();
        GroupId gone = cluster.file("/f", TestCluster.LENGTH).first().group();
        cluster.delete("/f");
        PretendDatanode datanode = cluster.datanodes.get(3);
        ChunkRecord orphan = new ChunkRecord(new ChunkId(gone, 1, 3), ChunkState.FINALISED, 4096, 4096, 9, Stamp.NONE);
        ChunkRecord foreign = new ChunkRecord(
                new ChunkId(new GroupId(99_999), 1, 0), ChunkState.FINALISED, 4096, 4096, 9, Stamp.NONE);
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()));
        datanode.put(orphan);
        datanode.put(foreign);
        cluster.await(() -> !datanode.chunks.containsKey(orphan.chunk()));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(datanode.chunks).containsOnlyKeys(foreign.chunk());
    }

    @Test
    void aHeaderlessChunkOfAWholeOrDeletedGroupIsDeleted() {
        cluster.ready();
        GroupId group = cluster.file("/f", TestCluster.LENGTH).first().group();
        ChunkId spare = new ChunkId(group, 1, 3);
        PretendDatanode datanode = without(group);
        datanode.loseHeader(spare);
        cluster.await(() -> !datanode.chunks.containsKey(spare));
        cluster.delete("/f");
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()));
        datanode.loseHeader(spare);
        cluster.await(() -> !datanode.chunks.containsKey(spare));
    }

    @Test
    void aHeaderlessChunkIsRetainedWhileItsGroupMayNeedIt() {
        NamespaceReply.Created created = recoveredTo(TestCluster.LENGTH);
        ChunkLocation left = created.first().chunks().get(4);
        PretendDatanode datanode = cluster.at(left);
        PretendDatanode away = cluster.at(created.first().chunks().get(0));
        away.alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        datanode.loseHeader(left.chunk());
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(datanode.chunks).containsKey(left.chunk());
        cluster.delete("/f");
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(datanode.chunks).as("its group is gone").containsKey(left.chunk());
        away.restart();
        cluster.await(() -> !datanode.chunks.containsKey(left.chunk()));
    }

    /** The number had another group before the namenodes' state was rolled back, and the chunk may be that one's. */
    @Test
    void aHeaderlessChunkIsRetainedBesideAnotherGroupOfItsNumber() {
        cluster.ready();
        GroupId group = cluster.file("/f", TestCluster.LENGTH).first().group();
        ChunkId spare = new ChunkId(group, 1, 3);
        ChunkRecord other = new ChunkRecord(new ChunkId(group, 2, 5), ChunkState.FINALISED, 4096, 4096, 9, 77);
        PretendDatanode datanode = without(group);
        cluster.datanodes.get(1).put(other);
        cluster.time.advance(Duration.ofSeconds(5));
        datanode.loseHeader(spare);
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(datanode.chunks).containsKey(spare);
        assertThat(cluster.datanodes.get(1).chunks).containsKey(other.chunk());
    }

    private PretendDatanode without(GroupId group) {
        return cluster.datanodes.values().stream()
                .filter(d -> d.chunks.keySet().stream()
                        .noneMatch(chunk -> chunk.group().equals(group)))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The request of a writer that has lost its group was late: its chunk comes right behind the word that there is
     * none.
     */
    @Test
    void aChunkThatComesRightAfterItsDeletionIsDeletedToo() {
        cluster.ready();
        ChunkLocation place =
                cluster.file("/f", TestCluster.LENGTH).first().chunks().get(0);
        PretendDatanode datanode = cluster.at(place);
        ChunkRecord late = datanode.chunks.get(place.chunk());
        cluster.delete("/f");
        cluster.await(() -> !datanode.chunks.containsKey(place.chunk()));
        datanode.put(late);
        cluster.await(() -> cluster.garbage() == 0);
        cluster.await(() -> !datanode.chunks.containsKey(place.chunk()));
    }
}
