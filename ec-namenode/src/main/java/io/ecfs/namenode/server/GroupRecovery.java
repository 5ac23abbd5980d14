package io.ecfs.namenode.server;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.ChunkChange;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.message.SealedGroup;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.namespace.Lease;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the files that the facts say are in recovery, on the leader: shuts the old writer out of the open group's chunks, collects
 * what they hold, and closes the file at the {@link RecoveredLength}.
 *
 * <pre>
 *   (lease scan) --&gt; COLLECTING --all live datanodes answered, or grace passed and k answered--&gt; CLOSING --applied--&gt; (gone)
 *        ^                                                                                         |
 *        `----- while the facts still say so, with a new fence ----- (gone) &lt;---------- failed ----'
 * </pre>
 *
 * Fence orders repeat with every heartbeat until they are answered, and a new leader begins again with a new fence: nothing
 * depends on one delivery. With fewer than k answers it waits for ever and loses nothing; so it does with fewer than k chunks, as
 * long as those who did not answer could make up k. Owner thread: the namenode's event thread.
 */
final class GroupRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(GroupRecovery.class);

    private enum Stage {
        COLLECTING,
        CLOSING
    }

    private static final class Recovering {
        final InodeId file;
        final Optional<GroupFacts> group;
        final long fence;
        final long sinceMillis;
        final TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        Stage stage = Stage.COLLECTING;

        Recovering(InodeId file, Optional<GroupFacts> group, long fence, long sinceMillis) {
            this.file = file;
            this.group = group;
            this.fence = fence;
            this.sinceMillis = sinceMillis;
        }
    }

    private final Surroundings around;
    private final Proposer proposer;
    private final Consumer<GroupId> sealed;
    private final Map<InodeId, Recovering> files = new TreeMap<>();
    private final Map<GroupId, Recovering> groups = new TreeMap<>();

    /** @param sealed is told of every group that was sealed here */
    GroupRecovery(Surroundings around, Proposer proposer, Consumer<GroupId> sealed) {
        this.around = around;
        this.proposer = proposer;
        this.sealed = sealed;
    }

    /** Takes up a file that the facts say is in recovery; a no-op for one that was taken up before. */
    void begin(Lease lease) {
        if (!files.containsKey(lease.file())) {
            Recovering file = recovering(lease);
            LOG.info("event=recovery_begins file={} group={} fence={}", lease.file(), lease.openGroup(), file.fence);
            files.put(lease.file(), file);
            file.group.ifPresent(group -> groups.put(group.group(), file));
            step(file);
        }
    }

    /** What is finished needs no fence, but what a datanode said before it was silent or began anew may be more than it has now. */
    private Recovering recovering(Lease lease) {
        try (MetadataView view = around.facts().get()) {
            Recovering file = new Recovering(
                    lease.file(),
                    lease.openGroup().flatMap(view::group),
                    around.environment().randomness().nextLong(),
                    around.nowMillis());
            file.group.stream()
                    .flatMap(group -> group.stored().stream())
                    .filter(stored -> around.serving(stored.volume()))
                    .forEach(stored -> around.catalog()
                            .find(stored.volume(), stored.chunk())
                            .filter(record -> record.state() == ChunkState.FINALISED)
                            .ifPresent(record -> file.answers.put(stored.chunk().index(), Optional.of(record))));
            return file;
        }
    }

    /** A datanode reported a chunk; it may be the answer to a fence. */
    void reported(ChunkChange change) {
        if (change instanceof ChunkChange.Fenced fenced) {
            answer(fenced.volume(), fenced.record(), Optional.of(fenced.fence()));
        } else if (change instanceof ChunkChange.Present present
                && present.record().state() != ChunkState.BEING_WRITTEN) {
            answer(present.volume(), present.record(), Optional.empty());
        } else if (change instanceof ChunkChange.Gone gone) {
            find(new StoredChunk(gone.volume(), gone.chunk())).ifPresent(file -> {
                file.answers.put(gone.chunk().index(), Optional.empty());
                step(file);
            });
        }
    }

    private void answer(VolumeId volume, ChunkRecord record, Optional<Long> fence) {
        find(new StoredChunk(volume, record.chunk()))
                .filter(file -> fence.isEmpty() || fence.get() == file.fence)
                .ifPresent(file -> {
                    file.answers.put(record.chunk().index(), Optional.of(record));
                    step(file);
                });
    }

    private Optional<Recovering> find(StoredChunk stored) {
        return Optional.ofNullable(groups.get(stored.chunk().group()))
                .filter(file -> file.group.orElseThrow().stored().contains(stored));
    }

    /** Fences that the volume has not answered yet. */
    List<DatanodeOrder> orders(VolumeId volume) {
        List<DatanodeOrder> orders = new ArrayList<>();
        for (Recovering file : groups.values()) {
            file.group.orElseThrow().stored().stream()
                    .filter(stored -> stored.volume().equals(volume))
                    .filter(stored -> !file.answers.containsKey(stored.chunk().index()))
                    .forEach(stored -> orders.add(new DatanodeOrder.Fence(volume, stored.chunk(), file.fence)));
        }
        return orders;
    }

    void tick() {
        List.copyOf(files.values()).forEach(this::step);
    }

    private void step(Recovering file) {
        if (file.stage == Stage.COLLECTING) {
            if (file.group.isEmpty()) {
                close(file, Optional.empty());
            } else if (answered(file) && !othersMayHoldIt(file)) {
                GroupFacts group = file.group.get();
                RecoveredLength.of(group.policy(), file.answers)
                        .ifPresent(found -> close(
                                file, Optional.of(new SealedGroup(group.group(), found.length(), found.holders()))));
            }
        }
    }

    private boolean answered(Recovering file) {
        return around.passed(around.settings().leaseRecoveryWait(), file.sinceMillis)
                || file.group.orElseThrow().stored().stream()
                        .allMatch(stored ->
                                file.answers.containsKey(stored.chunk().index())
                                        || !around.healthyOwner(stored.volume()));
    }

    /** What those hold who answered does not give the data, but with the silent ones it might: dropping the group would lose it. */
    private static boolean othersMayHoldIt(Recovering file) {
        GroupFacts group = file.group.orElseThrow();
        ChunkSet held = ChunkSet.of(file.answers.values().stream()
                .flatMap(Optional::stream)
                .filter(record -> record.state() != ChunkState.CORRUPT)
                .map(record -> record.chunk().index())
                .toList());
        ChunkSet silent = ChunkSet.of(group.stored().stream()
                .map(stored -> stored.chunk().index())
                .filter(index -> !file.answers.containsKey(index))
                .toList());
        CodeSpec code = group.policy().code();
        return !code.decodable(held) && code.decodable(held.union(silent));
    }

    private void close(Recovering file, Optional<SealedGroup> last) {
        LOG.debug("event=recovery_stage file={} from={} to={} last={}", file.file, file.stage, Stage.CLOSING, last);
        file.stage = Stage.CLOSING;
        proposer.propose(new Command.FinishRecovery(around.epochMillis(), file.file, last), (applied, failure) -> {
            if (failure == null) {
                LOG.info("event=recovery_ends file={} last={}", file.file, last);
                last.ifPresent(group -> sealed.accept(group.group()));
            } else {
                // The log did not take it, or the facts have moved on: the next scan of the leases knows which.
                LOG.warn(
                        "event=recovery_not_applied file={} last={} reason=\"{}\"",
                        file.file,
                        last,
                        failure.getMessage());
            }
            forget(file);
        });
    }

    private void forget(Recovering file) {
        files.remove(file.file);
        file.group.ifPresent(group -> groups.remove(group.group()));
    }
}
