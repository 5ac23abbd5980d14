package io.ecfs.namenode.server;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ClusterEvent;
import io.ecfs.message.Incident;
import io.ecfs.message.IncidentCause;
import io.ecfs.message.RepairTrace;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups of which a chunk holds other bytes than the others say, and none is proven wrong yet. Their parity is checked
 * before that of any other group, with what can be read of them: what repairs a group may wait for must not wait for
 * its repair.
 *
 * <pre>
 *   SUSPECTED --all chunks that were read are alike------&gt; cleared: an original that was not among them is disproved
 *       |     --one chunk is wrong, and can be spared-----&gt; condemned: no suspect any more
 *       |     --a chunk could not be read-----------------&gt; SUSPECTED, checked again later without failed volumes
 *       |     --no chunk alone explains the difference,
 *       v       or too few can be read to compare them
 *   UNDECIDED --other chunks of the group can be read-----&gt; SUSPECTED
 * </pre>
 *
 * A group that becomes UNDECIDED is noted in the history and keeps an incident going, by which the next leader finds it
 * again. Owner thread: the namenode's event thread.
 */
final class Suspects {
    private static final Logger LOG = LoggerFactory.getLogger(Suspects.class);
    private static final int MOST = 1_000;
    private static final IncidentCause CAUSE = IncidentCause.disputed();

    /** How far the search for chunks goes. */
    private enum Reach {
        /** Volumes that failed may give theirs. */
        FAILED_VOLUMES_TOO,
        /** One of them did not. */
        SERVED
    }

    /**
     * One group.
     *
     * @param original a chunk that was to be replaced and is not what the others say; empty when those differ among
     *     themselves
     * @param failures checks in a row that could not read a chunk
     * @param notBeforeMillis when it is checked
     * @param undecided the chunks that nobody could tell apart; empty for a group that is SUSPECTED
     */
    private record Suspect(
            Optional<ChunkId> original,
            Reach reach,
            int failures,
            long sinceMillis,
            long notBeforeMillis,
            Optional<List<ChunkId>> undecided) {
        Suspect accusing(ChunkId chunk) {
            return new Suspect(Optional.of(chunk), reach, failures, sinceMillis, notBeforeMillis, undecided);
        }

        Suspect unread(long againMillis) {
            return new Suspect(original, Reach.SERVED, failures + 1, sinceMillis, againMillis, undecided);
        }

        Suspect undecided(List<ChunkId> chunks) {
            return new Suspect(original, reach, 0, sinceMillis, notBeforeMillis, Optional.of(chunks));
        }
    }

    private final Surroundings around;
    private final Chronicle chronicle;
    private final TreeMap<GroupId, Suspect> groups = new TreeMap<>();
    private final TreeSet<ChunkId> disproved = new TreeSet<>();

    Suspects(Surroundings around, Chronicle chronicle) {
        this.around = around;
        this.chronicle = chronicle;
        try (MetadataView view = around.facts().get()) {
            view.incidentsGoingOn().stream()
                    .filter(incident -> incident.cause().equals(CAUSE)
                            && incident.healedMillis().isEmpty())
                    .forEach(incident -> resume(view, incident));
        }
    }

    /** What an earlier leader could not decide, or decided while the incident went on. */
    private void resume(MetadataView view, Incident incident) {
        for (RepairTrace trace : view.repairs(incident.id(), 0, 0, MOST)) {
            suspect(trace.group(), Optional.empty());
        }
    }

    /** @param original the chunk that was to be replaced, when it is one side of the dispute */
    void suspect(GroupId group, Optional<ChunkId> original) {
        if (groups.size() < MOST || groups.containsKey(group)) {
            Suspect suspect = groups.computeIfAbsent(
                    group,
                    id -> new Suspect(
                            Optional.empty(),
                            Reach.FAILED_VOLUMES_TOO,
                            0,
                            around.nowMillis(),
                            around.nowMillis(),
                            Optional.empty()));
            original.ifPresent(chunk -> groups.put(group, suspect.accusing(chunk)));
        }
    }

    boolean contains(GroupId group) {
        return groups.containsKey(group);
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    /**
     * Whether the other chunks of the group agree without this one, which differs: nothing is compared with it any
     * more.
     */
    boolean disproved(ChunkId chunk) {
        return disproved.contains(chunk);
    }

    /** Those that a check may say something new of. */
    List<GroupFacts> due(MetadataView view) {
        List<GroupFacts> due = new ArrayList<>();
        for (GroupId id : List.copyOf(groups.keySet())) {
            Optional<GroupFacts> group = around.sealed(view, id).filter(facts -> facts.length() > 0);
            if (group.isEmpty()) {
                groups.remove(id);
                continue;
            }
            Suspect suspect = groups.get(id);
            List<ChunkLocation> chunks = readable(group.get());
            boolean known = suspect.undecided().equals(Optional.of(ids(chunks)));
            if (!known && chunks.isEmpty()) {
                undecided(id, chunks, "too few of its chunks can be read to compare them");
            } else if (!known && around.nowMillis() >= suspect.notBeforeMillis()) {
                due.add(group.get());
            }
        }
        return due;
    }

    /**
     * The chunks of a suspected group to compare, in the order of their indexes; none when one of them alone tells of
     * no other.
     */
    List<ChunkLocation> readable(GroupFacts group) {
        boolean failedToo = groups.get(group.group()).reach() == Reach.FAILED_VOLUMES_TOO;
        List<StoredChunk> readable = group.stored().stream()
                .filter(stored -> around.live(group, stored)
                        || (failedToo && !disproved(stored.chunk()) && around.lastResort(group, stored)))
                .toList();
        ChunkSet indexes =
                ChunkSet.of(readable.stream().map(s -> s.chunk().index()).toList());
        return group.policy().code().redundant(indexes)
                ? readable.stream()
                        .flatMap(stored -> around.topology().location(stored, ChunkLocation.State.LIVE).stream())
                        .toList()
                : List.of();
    }

    /** A chunk could not be read. */
    void unread(GroupId group) {
        groups.computeIfPresent(
                group,
                (id, suspect) -> suspect.unread(around.nowMillis()
                        + around.settings()
                                .recovery()
                                .waitAfter(suspect.failures() + 1)
                                .toMillis()));
    }

    /**
     * These chunks agree with each other: an original that is none of them is wrong, unless it was replaced meanwhile.
     */
    void alike(MetadataView view, GroupId group, List<ChunkLocation> read) {
        Optional.ofNullable(groups.remove(group))
                .flatMap(Suspect::original)
                .filter(original -> !ids(read).contains(original))
                .filter(original -> around.sealed(view, group)
                        .flatMap(facts -> facts.volumeOf(original))
                        .isPresent())
                .ifPresent(original -> {
                    LOG.error(
                            "event=chunk_disproved chunk={} reason=\"all others of its group that can be read agree"
                                    + " without it\" action=\"it is rebuilt from them\"",
                            original);
                    disprove(original);
                });
    }

    /** It is wrong, and is to be rebuilt from the others. */
    void condemned(ChunkId chunk) {
        groups.remove(chunk.group());
        disprove(chunk);
    }

    private void disprove(ChunkId chunk) {
        if (disproved.size() == MOST) {
            disproved.pollFirst();
        }
        disproved.add(chunk);
    }

    /** Nobody can tell which of these chunks is wrong. */
    void undecided(GroupId group, List<ChunkLocation> read, String reason) {
        suspect(group, Optional.empty());
        groups.computeIfPresent(group, (id, suspect) -> suspect.undecided(ids(read)));
        Optional<Suspect> suspect = Optional.ofNullable(groups.get(group));
        chronicle.note(new ClusterEvent.RepairWaits(
                CAUSE,
                group,
                suspect.flatMap(Suspect::original).map(ChunkId::index).orElse(0),
                around.epochOf(suspect.map(Suspect::sinceMillis).orElseGet(around::nowMillis)),
                around.epochMillis(),
                reason));
    }

    private static List<ChunkId> ids(List<ChunkLocation> chunks) {
        return chunks.stream().map(ChunkLocation::chunk).toList();
    }
}
