package io.ecfs.namenode.scrub;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups of which a chunk holds other bytes than the others say, and none is proven wrong yet. Their parity is checked
 * before that of any other group, with what can be read of them: what repairs a group may wait for must not wait for
 * its repair.
 *
 * <pre>
 *   SUSPECTED --all chunks that were read are alike------&gt; cleared: an original that was not among them is disproved
 *       |     --the same, without one that was accused----&gt; that is disproved; UNDECIDED until it answers
 *       |     --one datanode accuses one chunk------------&gt; SUSPECTED, checked again by another datanode
 *       |     --and another one confirms it---------------&gt; condemned, when it can be spared: no suspect any more
 *       |     --a chunk could not be read-----------------&gt; SUSPECTED, checked again later without failed volumes
 *       |     --no chunk alone explains the difference,
 *       v       or too few can be read to compare them
 *   UNDECIDED --other chunks of the group can be read-----&gt; SUSPECTED
 * </pre>
 *
 * A group of which a chunk is accused, or that becomes UNDECIDED, is recorded in the history and its incident stays
 * open, by which the next leader finds it again. Owner thread: the namenode's event thread.
 */
public final class Suspects {
    private static final Logger LOG = LoggerFactory.getLogger(Suspects.class);
    private static final int MOST = 1_000;
    private static final IncidentCause CAUSE = IncidentCause.disputed();

    /** Reach of the search for chunks. */
    private enum Reach {
        /** Also volumes that failed. */
        FAILED_VOLUMES_TOO,
        /** Only volumes that serve: a failed one gave no chunk. */
        SERVED
    }

    /**
     * A datanode finds that one chunk alone explains the difference.
     *
     * @param by must not confirm it
     */
    record Accusation(ChunkId chunk, DatanodeId by) {}

    /**
     * A suspected group.
     * @param original a chunk that was to be replaced and differs from what the others give; empty when those differ
     *     among themselves
     * @param accusation that no other datanode has confirmed so far
     * @param failures checks in a row that were not made
     * @param notBeforeMillis when it is checked
     * @param undecided the chunks among which the wrong one was not identified; empty for a group that is SUSPECTED
     */
    private record Suspect(
            Optional<ChunkId> original,
            Optional<Accusation> accusation,
            Reach reach,
            int failures,
            long sinceMillis,
            long notBeforeMillis,
            Optional<List<ChunkId>> undecided) {
        Suspect instead(ChunkId chunk) {
            return new Suspect(
                    Optional.of(chunk), accusation, reach, failures, sinceMillis, notBeforeMillis, undecided);
        }

        Suspect accused(Accusation found) {
            return new Suspect(original, Optional.of(found), reach, 0, sinceMillis, notBeforeMillis, Optional.empty());
        }

        Suspect later(long againMillis, Reach next) {
            return new Suspect(original, accusation, next, failures + 1, sinceMillis, againMillis, undecided);
        }

        Suspect undecided(List<ChunkId> chunks) {
            return new Suspect(original, Optional.empty(), reach, 0, sinceMillis, notBeforeMillis, Optional.of(chunks));
        }

        /** Chunks that the others may disprove. */
        Stream<ChunkId> doubted() {
            return Stream.concat(original.stream(), accusation.stream().map(Accusation::chunk))
                    .distinct();
        }
    }

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final EventRecorder recorder;
    private final TreeMap<GroupId, Suspect> groups = new TreeMap<>();
    private final TreeSet<ChunkId> disproved = new TreeSet<>();

    public Suspects(NamenodeContext context, ClusterView cluster, EventRecorder recorder) {
        this.context = context;
        this.cluster = cluster;
        this.recorder = recorder;
        try (MetadataView view = context.facts().get()) {
            view.incidentsGoingOn().stream()
                    .filter(incident -> incident.cause().equals(CAUSE)
                            && incident.healedMillis().isEmpty())
                    .forEach(incident -> resume(view, incident));
        }
    }

    /** Resumes a group that an earlier leader could not decide about, or decided while the incident went on. */
    private void resume(MetadataView view, Incident incident) {
        for (RepairTrace trace : view.repairs(incident.id(), 0, 0, MOST)) {
            suspect(trace.group(), Optional.empty());
        }
    }

    /** Returns whether chunks of the group contradict each other, as far as is known. */
    public boolean suspected(GroupId group) {
        return groups.containsKey(group);
    }

    /** @param original the chunk that was to be replaced, when it is one side of the dispute */
    public void suspect(GroupId group, Optional<ChunkId> original) {
        if (groups.size() < MOST || groups.containsKey(group)) {
            Suspect suspect = groups.computeIfAbsent(
                    group,
                    id -> new Suspect(
                            Optional.empty(),
                            Optional.empty(),
                            Reach.FAILED_VOLUMES_TOO,
                            0,
                            context.nowMillis(),
                            context.nowMillis(),
                            Optional.empty()));
            original.ifPresent(chunk -> groups.put(group, suspect.instead(chunk)));
        }
    }

    /** Records the finding of one datanode: it condemns nothing, and stays until another datanode has checked it. */
    void accused(Accusation accusation) {
        ChunkId chunk = accusation.chunk();
        String reason = chunk + " alone differs from the others of its group as datanode " + accusation.by()
                + " reads them: another datanode is to confirm it";
        LOG.warn(
                "event=parity_accused chunk={} datanode={} action=\"another datanode checks the group\"",
                chunk,
                accusation.by());
        suspect(chunk.group(), Optional.empty());
        groups.computeIfPresent(chunk.group(), (id, suspect) -> suspect.accused(accusation));
        note(chunk.group(), chunk.index(), reason);
    }

    /** The accusation that another datanode is to confirm. */
    Optional<Accusation> accusation(GroupId group) {
        return Optional.ofNullable(groups.get(group)).flatMap(Suspect::accusation);
    }

    /** Checks of a suspected group in a row that were not made. */
    int failures(GroupId group) {
        return Optional.ofNullable(groups.get(group)).map(Suspect::failures).orElse(0);
    }

    boolean contains(GroupId group) {
        return groups.containsKey(group);
    }

    public boolean isEmpty() {
        return groups.isEmpty();
    }

    /**
     * Returns whether the other chunks of the group agree without this one, which differs: nothing is compared with it
     * any more.
     */
    public boolean disproved(ChunkId chunk) {
        return disproved.contains(chunk);
    }

    /** Groups of which a new check may give a new result. */
    List<GroupFacts> due(MetadataView view) {
        List<GroupFacts> due = new ArrayList<>();
        for (GroupId id : List.copyOf(groups.keySet())) {
            Optional<GroupFacts> group = view.sealedGroup(id).filter(facts -> facts.length() > 0);
            if (group.isEmpty()) {
                groups.remove(id);
                continue;
            }
            Suspect suspect = groups.get(id);
            List<ChunkLocation> chunks = readable(group.get());
            boolean known = suspect.undecided().equals(Optional.of(ids(chunks)));
            if (!known && chunks.isEmpty()) {
                undecided(id, chunks, "too few of its chunks can be read to compare them");
            } else if (!known && context.nowMillis() >= suspect.notBeforeMillis()) {
                due.add(group.get());
            }
        }
        return due;
    }

    /** The chunks of a suspected group to compare, in the order of their indexes; none when there is only one. */
    List<ChunkLocation> readable(GroupFacts group) {
        boolean failedToo = groups.get(group.group()).reach() == Reach.FAILED_VOLUMES_TOO;
        List<ChunkOnVolume> readable = group.stored().stream()
                .filter(stored -> cluster.live(group, stored)
                        || (failedToo && !disproved(stored.chunk()) && cluster.lastResort(group, stored)))
                .toList();
        ChunkSet indexes =
                ChunkSet.of(readable.stream().map(s -> s.chunk().index()).toList());
        return group.policy().code().redundant(indexes)
                ? readable.stream()
                        .flatMap(stored -> cluster.topology().location(stored, ChunkLocation.State.LIVE).stream())
                        .toList()
                : List.of();
    }

    /** A chunk could not be read. */
    void unread(GroupId group) {
        groups.computeIfPresent(
                group, (id, suspect) -> suspect.later(againMillis(suspect.failures() + 1), Reach.SERVED));
    }

    /** Records that no datanode could check it, or none did in time. */
    void unchecked(GroupId group) {
        groups.computeIfPresent(
                group, (id, suspect) -> suspect.later(againMillis(suspect.failures() + 1), suspect.reach()));
    }

    private long againMillis(int failures) {
        return context.nowMillis()
                + context.settings().recovery().waitAfter(failures).toMillis();
    }

    /**
     * Records that these chunks agree with each other: an original that is none of them is wrong, and an accused one
     * too, unless it was replaced meanwhile. One that may come back as it is stays under suspicion.
     */
    void alike(MetadataView view, GroupId id, List<ChunkLocation> read) {
        Optional<Suspect> suspect = Optional.ofNullable(groups.remove(id));
        Optional<GroupFacts> group = view.sealedGroup(id);
        List<ChunkOnVolume> wrong = suspect.stream()
                .flatMap(Suspect::doubted)
                .filter(chunk -> !ids(read).contains(chunk))
                .flatMap(
                        chunk -> group
                                .flatMap(facts -> facts.volumeOf(chunk))
                                .map(volume -> new ChunkOnVolume(volume, chunk))
                                .stream())
                .toList();
        for (ChunkOnVolume stored : wrong) {
            LOG.error(
                    "event=chunk_disproved chunk={} reason=\"all others of its group that can be read agree"
                            + " without it\" action=\"it is rebuilt from them\"",
                    stored.chunk());
            disprove(stored.chunk());
        }
        wrong.stream()
                .filter(stored -> !cluster.serving(stored.volume()) && !cluster.lastResort(group.orElseThrow(), stored))
                .findFirst()
                .ifPresent(stored -> {
                    groups.put(id, suspect.orElseThrow());
                    undecided(
                            id,
                            read,
                            stored.chunk() + " is wrong, and its datanode does not answer: it is condemned when that"
                                    + " comes back before it is rebuilt");
                });
    }

    /** Records that a chunk is wrong and is to be rebuilt from the others. */
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

    /** Records that it cannot be decided which of these chunks is wrong. */
    void undecided(GroupId group, List<ChunkLocation> read, String reason) {
        suspect(group, Optional.empty());
        groups.computeIfPresent(group, (id, suspect) -> suspect.undecided(ids(read)));
        int index = Optional.ofNullable(groups.get(group))
                .flatMap(Suspect::original)
                .map(ChunkId::index)
                .orElse(0);
        note(group, index, reason);
    }

    private void note(GroupId group, int index, String reason) {
        long sinceMillis =
                Optional.ofNullable(groups.get(group)).map(Suspect::sinceMillis).orElseGet(context::nowMillis);
        recorder.note(new ClusterEvent.RepairWaits(
                CAUSE, group, index, context.epochOf(sinceMillis), context.epochMillis(), reason));
    }

    static List<ChunkId> ids(List<ChunkLocation> chunks) {
        return chunks.stream().map(ChunkLocation::chunk).toList();
    }
}
