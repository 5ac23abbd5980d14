package io.ecfs.namenode.health;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.state.MetadataView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Queries of the sealed groups that are not whole, answered from the index of damage that {@link UnderReplicationFeed}
 * maintains. None of them changes anything. Owner thread: the namenode's event thread.
 */
public final class HealthSurvey {
    /** @param open being written, in none of the others */
    public record Counts(long healthy, long degraded, long lost, long open) {
        long sealed() {
            return healthy + degraded + lost;
        }
    }

    private final NamenodeContext context;
    private final UnderReplicationFeed feed;
    private long actingSinceMillis;

    public HealthSurvey(NamenodeContext context, UnderReplicationFeed feed) {
        this.context = context;
        this.feed = feed;
    }

    /** Begins a leader's term: damage counts as noticed no earlier than now. */
    public void termBegan() {
        actingSinceMillis = context.nowMillis();
    }

    /**
     * Missing indexes of a group, each with the time at which it was first noted, but not before this leader's term
     * began; monotonic milliseconds.
     */
    public Map<Integer, Long> lacking(GroupId group) {
        Map<Integer, Long> lacking = new LinkedHashMap<>();
        feed.index().lacking(group).forEach((index, since) -> lacking.put(index, Math.max(since, actingSinceMillis)));
        return lacking;
    }

    /** Damaged groups that can be repaired, most urgent first. */
    public List<UnderReplicationIndex.Urgency> urgent(Optional<UnderReplicationIndex.Urgency> after, int limit) {
        return feed.index().urgent(after, limit);
    }

    /** Damaged groups in order, from {@code first} on: those that lost bytes of files, or all that lack chunks. */
    public List<GroupId> damagedFrom(boolean lost, GroupId first, int limit) {
        if (!lost) {
            return feed.index().damagedFrom(first, limit);
        }
        TreeSet<GroupId> groups = new TreeSet<>(feed.index().lostFrom(first, limit));
        groups.addAll(feed.index().cutShortFrom(first, limit));
        return groups.stream().limit(limit).toList();
    }

    public boolean lost(GroupId group) {
        return feed.index().lost(group);
    }

    /** Returns whether a chunk that the facts place on the volume is known not to be there. */
    public boolean damaged(VolumeId volume) {
        return feed.index().notedOn(volume);
    }

    /** Returns whether every chunk that the facts place on the volume is known to be there. */
    public boolean clean(VolumeId volume) {
        return feed.firstPassDone() && feed.upToDate() && feed.compared(volume) && !damaged(volume);
    }

    /** Returns whether no group is known that was sealed without a chunk. */
    public boolean complete() {
        return feed.firstPassDone() && feed.upToDate() && !feed.index().notedAbsent();
    }

    /** Returns whether everything was compared once since the start, or since all facts were replaced. */
    public boolean firstPassDone() {
        return feed.firstPassDone();
    }

    /** See {@link UnderReplicationFeed#caughtUp}. */
    public boolean caughtUp() {
        return feed.caughtUp();
    }

    /** @throws EcfsException {@code SAFE_MODE} while not all damage is known */
    public void requireFirstPass() throws EcfsException {
        if (!feed.firstPassDone()) {
            throw new EcfsException(
                    ErrorCode.SAFE_MODE,
                    "the namenode has not yet compared all that the datanodes hold with what they should: try again");
        }
    }

    /** See {@link UnderReplicationIndex#degradedBySpare}. */
    public List<Long> degradedBySpare() {
        return feed.index().degradedBySpare();
    }

    public Counts counts() {
        try (MetadataView view = context.facts().get()) {
            long sealed = view.count(Counter.SEALED_GROUPS);
            UnderReplicationIndex.Counts damage = feed.index().counts();
            long healthy = Math.max(0, sealed - damage.degraded() - damage.lost());
            return new Counts(healthy, damage.degraded(), damage.lost(), view.count(Counter.OPEN_GROUPS));
        }
    }
}
