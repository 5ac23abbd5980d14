package io.ecfs.namenode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.ClusterReport.Groups;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.SealedGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
    void aChunkFinishedLongerThanItsGroupIsAdoptedWhereTheGroupEndsWithAStripe() {
        NamespaceReply.Created created = recoveredTo(2 * TestCluster.POLICY.stripeBytes());
        ChunkLocation late = created.first().chunks().get(4);
        cluster.at(late)
                .put(new ChunkRecord(late.chunk(), ChunkState.FINALISED, 8192 + 320, 8192 + 320, TestCluster.LENGTH));
        cluster.await(() -> cluster.groups().equals(new Groups(1, 0, 0, 0)));
    }

    @Test
    void aChunkFinishedLongerThanItsGroupIsNotTrustedWhereTheGroupHasATail() {
        NamespaceReply.Created created = recoveredTo(TestCluster.LENGTH);
        ChunkLocation late = created.first().chunks().get(4);
        long longer = TestCluster.LENGTH + TestCluster.POLICY.stripeBytes();
        cluster.at(late).put(new ChunkRecord(late.chunk(), ChunkState.FINALISED, 12288 + 320, 12288 + 320, longer));
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
        stale.put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1));
        cluster.complete("writer", created.status().inode(), sealed);
        // k+1 = 4 chunks are live: the stale one may go.
        cluster.await(() -> !stale.chunks.containsKey(last.chunk()));
        cluster.await(() -> cluster.garbage() == 0);

        cluster.at(created.first().chunks().get(0)).alive = false;
        cluster.time.advance(Duration.ofSeconds(15));
        stale.put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(stale.chunks).containsKey(last.chunk());
    }

    @Test
    void aChunkReportedWhileItsGroupWasOpenGoesWhenTheGroupIsSealedWithoutIt() {
        cluster.ready();
        NamespaceReply.Created created = cluster.create("writer", "/f");
        SealedGroup sealed = cluster.write(created.first(), TestCluster.LENGTH, 4);
        ChunkLocation last = created.first().chunks().get(4);
        cluster.at(last).put(new ChunkRecord(last.chunk(), ChunkState.BEING_WRITTEN, 4096, 4096, -1));
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
    void chunksOfGroupsThatAreGoneAreDeletedAndOfGroupsNeverAllocatedAreKept() {
        cluster.ready();
        GroupId gone = cluster.file("/f", TestCluster.LENGTH).first().group();
        cluster.delete("/f");
        PretendDatanode datanode = cluster.datanodes.get(3);
        ChunkRecord orphan = new ChunkRecord(new ChunkId(gone, 1, 3), ChunkState.FINALISED, 4096, 4096, 9);
        ChunkRecord foreign =
                new ChunkRecord(new ChunkId(new GroupId(99_999), 1, 0), ChunkState.FINALISED, 4096, 4096, 9);
        cluster.await(() -> cluster.datanodes.values().stream().allMatch(d -> d.chunks.isEmpty()));
        datanode.put(orphan);
        datanode.put(foreign);
        cluster.await(() -> !datanode.chunks.containsKey(orphan.chunk()));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(datanode.chunks).containsOnlyKeys(foreign.chunk());
    }

    /** The request of a writer that has lost its group was late: its chunk comes right behind the word that there is none. */
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
