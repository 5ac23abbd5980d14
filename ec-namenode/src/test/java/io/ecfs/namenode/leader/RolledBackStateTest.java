package io.ecfs.namenode.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.state.MetadataView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Namenodes come back with yesterday's state beside datanodes of today. Files of today are lost to it; their chunks
 * must neither serve others nor be destroyed.
 */
class RolledBackStateTest {
    private static final Path YESTERDAY = Path.of("yesterday");
    private static final int FILES = 10;

    private final TestCluster cluster = new TestCluster(6, 6, TestCluster.RECOVERY).ready();

    /** What the datanodes have of the files that the copy does not know. */
    private Set<Chunk> ofToday = Set.of();

    private record Chunk(int datanode, ChunkRecord record) implements Comparable<Chunk> {
        @Override
        public int compareTo(Chunk other) {
            int byDatanode = Integer.compare(datanode, other.datanode);
            return byDatanode != 0 ? byDatanode : record.chunk().compareTo(other.record.chunk());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noOldChunkBecomesPartOfANewGroupAndNoneIsDeleted(boolean restored) {
        rollBack(restored);
        write("new", 2 * FILES);
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(misplaced()).isEmpty();
        assertThat(onDatanodes()).containsAll(ofToday);
    }

    /** Groups that are gone leave no row to compare a stamp with. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noOldChunkIsTakenForWhatADeletedGroupLeft(boolean restored) {
        rollBack(restored);
        write("new", 2 * FILES);
        for (int i = 0; i < 2 * FILES; i++) {
            cluster.delete("/new" + i);
        }
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(onDatanodes()).containsAll(ofToday);
        assertThat(onDatanodes().stream()
                        .filter(chunk -> !ofToday.contains(chunk))
                        .map(chunk -> chunk.record().chunk().group())
                        .distinct())
                .as("the copy's own, and nothing of what was written and deleted since")
                .hasSize(FILES);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWriterThatDiesAmongOldChunksIsRecoveredWithoutThem(boolean restored) {
        rollBack(restored);
        for (int i = 0; i < FILES; i++) {
            NamespaceReply.Created open = cluster.create("dying", "/open" + i);
            finish(open.first(), TestCluster.LENGTH, false);
        }
        cluster.time.advance(TestCluster.HARD_LIMIT.plus(Duration.ofMinutes(5)));
        for (int i = 0; i < FILES; i++) {
            assertThat(cluster.status("/open" + i).open()).isFalse();
        }
        assertThat(misplaced()).isEmpty();
        assertThat(onDatanodes()).containsAll(ofToday);
    }

    @Test
    void numbersOfAnEpochBeforeAreNeverAllocatedAgain() {
        rollBack(true);
        write("new", FILES);
        Set<GroupId> old =
                ofToday.stream().map(chunk -> chunk.record().chunk().group()).collect(Collectors.toSet());
        assertThat(groups()).noneMatch(group -> old.contains(group.group()));
        assertThat(groups().stream().map(group -> group.group().epoch())).containsOnly(0, 1);
        try (MetadataView view = cluster.facts("nn1")) {
            assertThat(old).allMatch(group -> view.stampOf(group).isEmpty());
            assertThat(groups()).allMatch(group -> view.stampOf(group.group()).getAsInt() == group.stamp());
            assertThat(view.lastNumber(0)).isEqualTo(FILES);
            assertThat(view.stampOf(GroupId.of(2, 1))).isEmpty();
        }
    }

    private void rollBack(boolean restored) {
        write("copied", FILES);
        cluster.copyStates(YESTERDAY);
        Set<Chunk> copied = onDatanodes();
        write("lost", FILES);
        ofToday = onDatanodes();
        ofToday.removeAll(copied);
        cluster.rollBack(YESTERDAY, restored);
        assertThat(cluster.groups().degraded() + cluster.groups().lost()).isZero();
    }

    private void write(String prefix, int files) {
        for (int i = 0; i < files; i++) {
            NamespaceReply.Created file = cluster.create("writer", "/" + prefix + i);
            SealedGroup word = finish(file.first(), TestCluster.LENGTH, true);
            while (word.length() == 0) {
                NamespaceReply.Allocated next = (NamespaceReply.Allocated) cluster.call(new NamespaceRequest.AddGroup(
                        cluster.request("writer"), file.status().inode(), Optional.of(word), List.of()));
                word = finish(next.group(), TestCluster.LENGTH, true);
            }
            cluster.complete("writer", file.status().inode(), word);
        }
    }

    /**
     * As a writer does it: a datanode that has a chunk of this name refuses it, and with too few chunks the group is
     * given back.
     */
    private SealedGroup finish(LocatedGroup group, long length, boolean finalised) {
        List<ChunkId> finished = new ArrayList<>();
        for (ChunkLocation location : group.chunks()) {
            PretendDatanode datanode = cluster.at(location);
            if (!datanode.chunks.containsKey(location.chunk())) {
                long bytes = finalised
                        ? new GroupLayout(group.policy(), length)
                                .chunkBytes(location.chunk().index())
                        : group.policy().cellBytes();
                datanode.put(new ChunkRecord(
                        location.chunk(),
                        finalised ? ChunkState.FINALISED : ChunkState.BEING_WRITTEN,
                        bytes,
                        bytes,
                        finalised ? length : -1,
                        group.token().stamp()));
                finished.add(location.chunk());
            }
        }
        boolean enough = finished.size() > group.policy().dataChunks();
        return new SealedGroup(group.group(), enough ? length : 0, enough ? finished : List.of());
    }

    /** Chunks that the facts place where one of another group of that number is. */
    private List<ChunkOnVolume> misplaced() {
        return groups().stream()
                .filter(group -> !group.open())
                .flatMap(group -> group.stored().stream()
                        .filter(stored -> cluster.datanodes.values().stream()
                                .filter(datanode -> datanode.volume().equals(stored.volume()))
                                .flatMap(datanode -> Optional.ofNullable(datanode.chunks.get(stored.chunk())).stream())
                                .anyMatch(record -> record.stamp() != group.stamp())))
                .toList();
    }

    private List<GroupFacts> groups() {
        List<GroupFacts> groups = new ArrayList<>();
        try (MetadataView view = cluster.facts("nn1")) {
            view.groups(new GroupId(1), groups::add);
        }
        return groups;
    }

    private Set<Chunk> onDatanodes() {
        Set<Chunk> chunks = new TreeSet<>();
        cluster.datanodes.forEach((number, datanode) ->
                datanode.chunks.values().forEach(record -> chunks.add(new Chunk(number, record))));
        return chunks;
    }
}
