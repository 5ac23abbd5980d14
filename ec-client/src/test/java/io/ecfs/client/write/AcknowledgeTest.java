package io.ecfs.client.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must have happened before a writer is told that its bytes are acknowledged, or on disk. */
class AcknowledgeTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final GroupId FIRST = new GroupId(1);
    private static final long LENGTH = 60_000;
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /**
     * A file whose first group was sealed without a sync, since one of its chunks failed; all of it is acknowledged.
     */
    private EcfsOutputStream afterASealedGroup(Policy policy) throws IOException {
        AtomicInteger writes = new AtomicInteger();
        cluster.fate(request -> request instanceof ChunkRequest.WriteCells write
                        && write.chunk().group().equals(FIRST)
                        && write.chunk().index() == 1
                        && writes.getAndIncrement() == 3
                ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new Fate.Answered());
        EcfsOutputStream out = create(FILE, policy);
        append(out, LENGTH);
        out.hflush();
        cluster.heal();
        assertThat(groups(FILE)).startsWith(FIRST);
        assertThat(chunksOf(FIRST)).isEqualTo(policy.chunks() - unplaced() - 1);
        return out;
    }

    private int unplaced() {
        return cluster.on(c -> c.namenode().unplaced);
    }

    private boolean onDisk(GroupId group) {
        return cluster.on(
                c -> c.namenode().groups.get(group).chunks().stream().allMatch(place -> c.chunk(place.chunk()).synced));
    }

    /** The chunk that a sync cannot put on disk, and what the namenode knows of its datanode. */
    private void keepFromDisk(Set<Integer> indexes, Optional<ChunkLocation.State> known) {
        Set<Address> datanodes = cluster.on(c -> {
            LocatedGroup group = c.namenode().groups.get(FIRST);
            List<ChunkLocation> places = group.chunks().stream()
                    .filter(place -> indexes.contains(place.chunk().index()))
                    .toList();
            known.ifPresent(state -> places.forEach(place -> c.namenode().states.put(place.datanode(), state)));
            return places.stream().map(ChunkLocation::address).collect(Collectors.toSet());
        });
        assertThat(datanodes).hasSameSizeAs(indexes);
        datanodes.forEach(cluster::stop);
    }

    @Test
    void anHsyncPutsTheGroupsBeforeItOnDisk() throws IOException {
        start(8);
        try (EcfsOutputStream out = afterASealedGroup(POLICY)) {
            assertThat(onDisk(FIRST)).isFalse();
            out.hsync();
            assertThat(onDisk(FIRST)).isTrue();
        }
    }

    /**
     * With k + 1 chunks on disk a loss of power would leave a group that survives one more loss, and the facts would
     * count n.
     */
    @Test
    void anHsyncFailsWhenAChunkThatTheNamenodeCountsOnIsNotOnDisk() throws IOException {
        start(9, config().with("namenodeDeadline=1s"));
        EcfsOutputStream out = afterASealedGroup(Policy.parse("rs-2-3-4k"));
        keepFromDisk(Set.of(4), Optional.empty());
        assertThatThrownBy(out::hsync)
                .isInstanceOfSatisfying(
                        EcfsException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.NO_SPACE))
                .hasMessageContaining("could be put on disk");
        assertThatThrownBy(out::close).isInstanceOf(EcfsException.class);
    }

    @Test
    void anHsyncFailsWhenTooFewChunksAreOnDisk() throws IOException {
        start(8, config().with("namenodeDeadline=1s"));
        EcfsOutputStream out = afterASealedGroup(POLICY);
        keepFromDisk(Set.of(3, 4), Optional.of(ChunkLocation.State.UNREACHABLE));
        assertThatThrownBy(out::hsync).hasMessageContaining("could be put on disk");
        assertThatThrownBy(out::close).isInstanceOf(EcfsException.class);
    }

    @Test
    void anHsyncGoesOnWithoutAChunkThatTheNamenodeKnowsToBeAway() throws IOException {
        start(9);
        EcfsOutputStream out = afterASealedGroup(Policy.parse("rs-2-3-4k"));
        keepFromDisk(Set.of(4), Optional.of(ChunkLocation.State.UNREACHABLE));
        out.hsync();
        cluster.heal();
        out.close();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }

    /**
     * The group was given fewer places than it has chunks, as in a cluster with few datanodes, and was repaired since.
     */
    @Test
    void anHsyncCountsARebuiltChunkThatTheWriterHasNoPlaceFor() throws IOException {
        start(9);
        cluster.on(c -> c.namenode().unplaced = 1);
        EcfsOutputStream out = afterASealedGroup(Policy.parse("rs-2-3-4k"));
        keepFromDisk(Set.of(3), Optional.of(ChunkLocation.State.UNREACHABLE));
        cluster.on(c -> {
            c.namenode().rebuilt(FIRST, 4);
            return null;
        });
        out.hsync();
        cluster.heal();
        out.close();
        assertThat(readAll(FILE)).hasSize((int) LENGTH);
    }

    /**
     * Header and name may reach the disk before the bytes behind those that were synced: the chunk would be shorter
     * than it says.
     */
    @Test
    void aGroupOfWhichAnythingWasSyncedIsPublishedWithASync() throws IOException {
        start(5);
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            append(out, 2 * POLICY.stripeBytes());
            out.hsync();
            append(out, 4 * POLICY.stripeBytes() + 100);
        }
        assertThat(onDisk(onlyGroup(FILE))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsAcknowledgedBeforeTheNamenodeConfirmsTheGroup(boolean sync) throws IOException {
        start(5);
        AtomicBoolean asked = new AtomicBoolean();
        AtomicBoolean askedAgain = new AtomicBoolean();
        cluster.fate(request -> {
            if (!(request instanceof NamespaceRequest.ConfirmGroup)) {
                return new Fate.Answered();
            }
            askedAgain.set(asked.getAndSet(true));
            return askedAgain.get() ? new Fate.Answered() : new Fate.Hangs();
        });
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            append(out, 1000);
            if (sync) {
                out.hsync();
            } else {
                out.hflush();
            }
            assertThat(askedAgain)
                    .as("the answer to the first question was lost")
                    .isTrue();
        }
    }

    /** The namenode refuses such a group; the writer must not even ask. */
    @Test
    void aGroupOfTooFewChunksIsNeverCalledComplete() throws IOException {
        start(12);
        cluster.fate(request -> request instanceof ChunkRequest.FinishChunk finish
                        && finish.chunk().group().equals(FIRST)
                        && Set.of(0, 4).contains(finish.chunk().index())
                ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new Fate.Answered());
        Throwable failure = catchThrowable(() -> write(FILE, POLICY, LENGTH));
        List<SealedGroup> words = namenodeRequests().stream()
                .flatMap(request -> {
                    if (request instanceof NamespaceRequest.AddGroup add) {
                        return add.previous().stream();
                    } else if (request instanceof NamespaceRequest.CompleteFile complete) {
                        return complete.last().stream();
                    }
                    return request instanceof NamespaceRequest.SealGroup seal
                            ? Stream.of(seal.sealed())
                            : Stream.empty();
                })
                .toList();
        assertThat(words).extracting(SealedGroup::group).contains(FIRST);
        assertThat(words)
                .allSatisfy(
                        word -> assertThat(word.length() == 0 || word.finished().size() > POLICY.dataChunks())
                                .as("%s", word)
                                .isTrue());
        assertThat(failure).isNull();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, LENGTH));
    }

    /** Chunks are asked though nothing is new: one that lost its stripes with the power must not be counted on. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChunkThatLostItsStripesWhileTheWriterWasIdleIsNotCountedOn(boolean sync) throws IOException {
        start(9);
        long stripes = 4 * POLICY.stripeBytes();
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            append(out, stripes);
            out.hflush();
            GroupId first =
                    cluster.on(c -> c.namenode().groups.keySet().iterator().next());
            for (int index = 3; index < 5; index++) {
                ChunkLocation place = place(first, index);
                cluster.on(c -> {
                    c.datanode(place.address())
                            .chunks
                            .get(place.chunk())
                            .growing
                            .reset();
                    return null;
                });
            }
            cluster.advanceClock(CHECK_INTERVAL);
            if (sync) {
                assertThatThrownBy(out::hsync).hasMessageContaining("CHUNK_INCOMPLETE");
            } else {
                assertThatThrownBy(out::hflush).hasMessageContaining("CHUNK_INCOMPLETE");
            }
        } catch (EcfsException e) {
            assertThat(e).hasMessageContaining("CHUNK_INCOMPLETE"); // close says it again
        }
    }

    /** Of small writes that follow each other, only the chunks that get the records are asked. */
    @Test
    void aChunkIsNotCheckedAgainRightAfterARequest() throws IOException {
        start(9);
        cluster.holdClock();
        try (EcfsOutputStream out = create(FILE, POLICY)) {
            append(out, POLICY.stripeBytes());
            out.hflush();
            assertThat(chunksChecked())
                    .as("each datanode learns once that its cells are acknowledged")
                    .isEqualTo(POLICY.chunks());
            out.hflush();
            assertThat(chunksChecked()).isZero();
            append(out, POLICY.stripeBytes() + 1);
            out.hflush();
            assertThat(chunksChecked()).isZero();
            cluster.advanceClock(CHECK_INTERVAL);
            append(out, POLICY.stripeBytes() + 2);
            out.hflush();
            assertThat(chunksChecked()).isEqualTo(POLICY.dataChunks() - 1);
            append(out, POLICY.stripeBytes() + 3);
            out.hflush();
            assertThat(chunksChecked()).isZero();
            append(out, 3 * POLICY.stripeBytes());
            out.hflush();
            assertThat(chunksChecked()).as("cells are answered, too").isZero();
        }
    }

    private long chunksChecked() {
        return cluster.takeChunkRequests().stream()
                .filter(ChunkRequest.CheckChunk.class::isInstance)
                .count();
    }

    private ChunkLocation place(GroupId group, int index) {
        return cluster.on(c -> c.namenode().groups.get(group).chunks().get(index));
    }
}
