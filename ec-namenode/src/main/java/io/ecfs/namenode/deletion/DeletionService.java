package io.ecfs.namenode.deletion;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.settings.GarbageSettings;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reclaims space, on the leader: turns deleted files into garbage step by step, orders datanodes to delete what the log
 * calls garbage, and drops from the log what they report as deleted. An order is repeated with every heartbeat until it
 * is answered. Deleted files wait for {@link GarbageSettings#delay} first, because what replaced them may not be on the
 * datanodes' disks yet; chunks that no name led to, such as those of an aborted writer or the old ones of a repair, do
 * not wait. Owner thread: the namenode's event thread.
 */
public final class DeletionService {
    private static final Logger LOG = LoggerFactory.getLogger(DeletionService.class);
    private static final int MAX_FORGET = 1000;

    /** Time to read a group of the largest size from datanodes that are busy. */
    private static final Duration SPARED_FOR = Duration.ofMinutes(10);

    /** Deletions within this time are turned into garbage together, in one log entry where they fit it. */
    private static final Duration GATHERED_FOR = Duration.ofMillis(50);

    /** Fewer than a volume's orders in one heartbeat, so that spared garbage never hides the rest. */
    private static final int MAX_SPARED = 500;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final Proposer proposer;
    private final TreeSet<ChunkOnVolume> gone = new TreeSet<>();
    private final LinkedHashMap<GroupId, Spared> spared = new LinkedHashMap<>();
    private final DeletionAges ages;
    private final Consumer<ChunkOnVolume> thereAgain;
    private boolean gathering;
    private boolean purging;
    private boolean forgetting;

    /** @param client that writes the file, and copies */
    private record Spared(InodeId file, String client, String user, long sinceMillis) {}

    /**
     * @param thereAgain gets a chunk that was reported after its absence was and before the log dropped it: the chunk
     *     of a writer whose request was late. Until then it counted as garbage whose deletion is ordered
     */
    public DeletionService(
            NamenodeContext context, ClusterView cluster, Proposer proposer, Consumer<ChunkOnVolume> thereAgain) {
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.thereAgain = thereAgain;
        this.ages = new DeletionAges(context.settings().garbage().delay());
    }

    /**
     * Orders no deletion of this group's chunks while its writer holds the file, because it is copying them into
     * another group; for a bounded time. Soft state: a new leader does not know of it, and then the copy may fail,
     * which the writer reports.
     */
    public void spare(GroupId group, InodeId file, String client, String user) {
        spared.put(group, new Spared(file, client, user, context.nowMillis()));
        if (spared.size() > MAX_SPARED) {
            spared.remove(spared.keySet().iterator().next());
        }
    }

    public void tick() {
        spared.values().removeIf(one -> context.passed(SPARED_FOR, one.sinceMillis()));
        purge();
        forget();
    }

    /** Schedules a purge after a call that may have left garbage. */
    public void deleted() {
        if (!gathering && !purging) {
            gathering = true;
            context.scheduler().schedule(GATHERED_FOR, () -> {
                gathering = false;
                purge();
            });
        }
    }

    private void purge() {
        Optional<Long> due = purging ? Optional.empty() : due();
        if (due.isEmpty()) {
            return;
        }
        purging = true;
        proposer.propose(
                new Command.PurgeStep(context.epochMillis(), context.settings().purgeBudget(), due.get()), outcome -> {
                    purging = false;
                    outcome.resolve(
                            this::purged,
                            failure -> LOG.debug("event=purge_refused reason=\"{}\"", failure.getMessage()));
                });
    }

    private void purged(CommandResult result) {
        if (result instanceof CommandResult.Purged left && left.pending() > 0) {
            purge();
        }
    }

    /** Number of the last deletion that is to be purged now; empty when none is. */
    private Optional<Long> due() {
        try (MetadataView view = context.facts().get()) {
            if (view.identity().isEmpty() || view.pendingDeletions() == 0) {
                return Optional.empty();
            }
            long last = view.lastDeletion();
            long aged = ages.due(last, context.nowMillis());
            long due = cluster.roomIsScarce() ? last : aged;
            return due > view.purgedDeletion() ? Optional.of(due) : Optional.empty();
        }
    }

    /** None for a volume that takes no change: its garbage goes when it is replaced, or comes back writable. */
    public List<DatanodeOrder> orders(MetadataView view, VolumeId volume) {
        if (cluster.readOnly(volume)) {
            return List.of();
        }
        return view.stampedGarbage(volume, context.settings().deletesPerHeartbeat()).entrySet().stream()
                .filter(garbage -> !gone.contains(garbage.getKey()))
                .filter(garbage -> !spared(view, garbage.getKey().chunk().group()))
                .<DatanodeOrder>map(garbage ->
                        new DatanodeOrder.Delete(volume, garbage.getKey().chunk(), garbage.getValue()))
                .toList();
    }

    /**
     * Returns whether deletion of the group's chunks is suspended; a late repeat of the call, after the file was
     * closed, has no effect.
     */
    private boolean spared(MetadataView view, GroupId group) {
        Spared copied = spared.get(group);
        return copied != null
                && view.knownNamespace()
                        .lease(copied.file())
                        .filter(lease -> lease.heldBy(copied.client(), copied.user()) && !lease.recovering())
                        .isPresent();
    }

    /** Notes that a datanode reported the chunk as absent. */
    public void gone(MetadataView view, VolumeId volume, ChunkId chunk) {
        ChunkOnVolume stored = new ChunkOnVolume(volume, chunk);
        if (view.isGarbage(stored)) {
            gone.add(stored);
            if (gone.size() >= MAX_FORGET) {
                forget();
            }
        }
    }

    private void forget() {
        if (forgetting || gone.isEmpty()) {
            return;
        }
        forgetting = true;
        List<ChunkOnVolume> batch = gone.stream().limit(MAX_FORGET).toList();
        proposer.propose(new Command.ForgetGarbage(context.epochMillis(), batch), outcome -> {
            forgetting = false;
            // What the log did not forget is ordered again, and answered again.
            batch.forEach(gone::remove);
            if (outcome instanceof Outcome.Done) {
                batch.stream()
                        .filter(stored -> cluster.catalog()
                                .find(stored.volume(), stored.chunk())
                                .isPresent())
                        .forEach(thereAgain);
                forget();
            }
        });
    }
}
