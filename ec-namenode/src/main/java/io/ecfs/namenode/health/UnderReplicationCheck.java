package io.ecfs.namenode.health;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.GroupId;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recounts what groups lack and compares it with the index of damage: a few groups at a time, in rounds, for as long as
 * the namenode runs. A group that differs is compared once more in the next tick, since the change of an entry that was
 * just applied may still be queued; then it is an ERROR, and is compared anew. The recount reads only the facts and the
 * reports. Owner thread: the namenode's event thread.
 */
public final class UnderReplicationCheck {
    private static final Logger LOG = LoggerFactory.getLogger(UnderReplicationCheck.class);

    /** Groups of one tick: about two milliseconds. */
    private static final int SOME = 100;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final UnderReplicationFeed feed;
    private Set<GroupId> doubtful = new TreeSet<>();
    private GroupId nextGroup = new GroupId(1);
    private GroupId nextNoted = new GroupId(1);

    public UnderReplicationCheck(NamenodeContext context, ClusterView cluster, UnderReplicationFeed feed) {
        this.context = context;
        this.cluster = cluster;
        this.feed = feed;
    }

    /**
     * Recounts the next groups; before {@link UnderReplicationFeed#tick}, which would notice what no message had
     * reported.
     */
    public void tick() {
        UnderReplicationFeed.Unnoticed unnoticed = feed.unnoticed();
        if (!unnoticed.forgotten().isEmpty()) {
            LOG.error("event=volumes_not_noticed volumes={}", unnoticed.forgotten());
            return;
        }
        feed.drainChanges();
        if (!unnoticed.inTime() && feed.caughtUp()) {
            try (MetadataView view = context.facts().get()) {
                feed.compareAnew(view, wrong(view));
            }
        }
    }

    /** Those of the next groups that differ a second time. */
    private Set<GroupId> wrong(MetadataView view) {
        Set<GroupId> differ = new TreeSet<>();
        nextGroup = next(view.groupsFrom(nextGroup, SOME), differ, view);
        nextNoted = next(feed.index().damagedFrom(nextNoted, SOME), differ, view);
        Set<GroupId> wrong = doubtful;
        wrong.removeIf(group -> !differs(view, group));
        wrong.forEach(group -> LOG.error(
                "event=ledger_differs group={} ledger={} recount={}",
                group,
                feed.index().lacking(group).keySet(),
                recount(view, group)));
        doubtful = differ;
        return wrong;
    }

    private GroupId next(List<GroupId> some, Collection<GroupId> differ, MetadataView view) {
        some.stream().filter(group -> differs(view, group)).forEach(differ::add);
        return new GroupId(some.size() < SOME ? 1 : some.get(some.size() - 1).value() + 1);
    }

    private boolean differs(MetadataView view, GroupId group) {
        return !recount(view, group).equals(feed.index().lacking(group).keySet());
    }

    /** Compares the index with a recount of everything. */
    public UnderReplicationAudit audit() {
        UnderReplicationFeed.Unnoticed unnoticed = feed.unnoticed();
        if (!unnoticed.forgotten().isEmpty()) {
            return new UnderReplicationAudit(
                    true, Optional.of("nothing noticed that these volumes serve or not: " + unnoticed.forgotten()));
        }
        feed.drainChanges();
        if (unnoticed.inTime() || !feed.caughtUp()) {
            return UnderReplicationAudit.UNSETTLED;
        }
        try (MetadataView view = context.facts().get()) {
            return new UnderReplicationAudit(true, difference(view));
        }
    }

    private Optional<String> difference(MetadataView view) {
        Map<GroupId, Set<Integer>> lacking = new TreeMap<>();
        long[] lost = new long[1];
        view.groups(new GroupId(1), group -> {
            Set<Integer> lacks = recount(view, group.group());
            if (!lacks.isEmpty()) {
                lacking.put(group.group(), lacks);
                ChunkSet left = ChunkSet.range(0, group.policy().chunks()).minus(ChunkSet.of(lacks));
                lost[0] += group.policy().code().decodable(left) ? 0 : 1;
            }
            return true;
        });
        UnderReplicationIndex index = feed.index();
        UnderReplicationIndex.Counts counts = new UnderReplicationIndex.Counts(lacking.size() - lost[0], lost[0]);
        if (!index.damaged().equals(lacking)) {
            return Optional.of("the index has " + index.damaged() + ", a recount " + lacking);
        }
        return index.counts().equals(counts)
                ? Optional.empty()
                : Optional.of("the index counts " + index.counts() + ", a recount " + counts);
    }

    /**
     * The indexes of a sealed group that are not where the facts place them, but for those whose reports are awaited;
     * none for any other group.
     */
    private Set<Integer> recount(MetadataView view, GroupId id) {
        Optional<GroupFacts> sealed = view.sealedGroup(id);
        return IntStream.range(0, sealed.map(group -> group.places().size()).orElse(0))
                .filter(index -> sealed.orElseThrow()
                        .stored(index)
                        .filter(stored -> feed.awaits(stored) || cluster.live(sealed.orElseThrow(), stored))
                        .isEmpty())
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
