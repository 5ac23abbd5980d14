package io.ecfs.namenode.server;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.IncidentCause;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.server.RepairCauses.Found;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Chunks that are to lie elsewhere although nothing is wrong with them: those on datanodes that leave. They are found in walks over the
 * index of chunks by volume, a page of each volume at a time, so that the work is in the size of what has to move and no volume is
 * moved from alone. Owner thread: the namenode's event thread.
 */
final class Moves {
    private static final int PAGE = 200;
    private static final int MOST_WAITING = 100;
    private static final Duration STALE = Duration.ofSeconds(10);

    /** Why something on a datanode does not move, and when that was last found. */
    private record Waits(long atMillis, String reason) {}

    private final Surroundings around;
    private final RepairDelays delays;
    private final TreeMap<VolumeId, Optional<StoredChunk>> walks = new TreeMap<>();
    private final TreeMap<DatanodeId, Waits> waits = new TreeMap<>();

    Moves(Surroundings around) {
        this.around = around;
        this.delays = new RepairDelays(around);
    }

    RepairDelays delays() {
        return delays;
    }

    /** Whether an attempt is a move. */
    static boolean is(ChunkRepair repair) {
        return repair.found.cause().planned();
    }

    /** Moves under way at the same time: what is lost goes first and finds half of all places free. */
    int atOnce() {
        return (around.settings().recovery().atOnce() + 1) / 2;
    }

    /** Of these with one datanode as their target. */
    int perDatanode() {
        return (around.settings().recovery().perDatanode() + 1) / 2;
    }

    /** Whether the chunk of this index is still to lie elsewhere. */
    boolean wanted(GroupFacts group, int index) {
        return group.places().get(index).volume().filter(this::leaves).isPresent();
    }

    private boolean leaves(VolumeId volume) {
        return around.topology().owner(volume).filter(DatanodeFacts::leaving).isPresent();
    }

    /** As the repair machine asks why. */
    Found found(DatanodeFacts leaving) {
        IncidentCause cause = IncidentCause.leaving(leaving.datanode());
        long since = around.monotonicOf(leaving.duty().sinceMillis());
        return new Found(cause, cause.text(), since, since);
    }

    /** The next chunks in turn, one of each volume after the other. */
    List<StoredChunk> next(MetadataView view) {
        List<DatanodeFacts> leaving = around.topology().datanodes().stream()
                .filter(DatanodeFacts::leaving)
                .toList();
        if (leaving.isEmpty()) {
            walks.clear();
            waits.clear();
            delays.forgetIf(group -> true);
            return List.of();
        }
        List<List<StoredChunk>> pages = new ArrayList<>();
        for (DatanodeFacts facts : leaving) {
            for (VolumeId volume : facts.volumes().values()) {
                pages.add(page(view, volume));
            }
        }
        List<StoredChunk> mixed = new ArrayList<>();
        for (int row = 0; row < PAGE; row++) {
            for (List<StoredChunk> page : pages) {
                if (row < page.size()) {
                    mixed.add(page.get(row));
                }
            }
        }
        return mixed;
    }

    private List<StoredChunk> page(MetadataView view, VolumeId volume) {
        List<StoredChunk> page = view.chunksOn(volume, walks.getOrDefault(volume, Optional.empty()), PAGE);
        if (page.isEmpty()) {
            walks.remove(volume);
            return view.chunksOn(volume, Optional.empty(), PAGE);
        }
        return page;
    }

    /** This one was looked at: the walk goes on behind it. */
    void lookedAt(StoredChunk stored) {
        walks.put(stored.volume(), Optional.of(stored));
    }

    /** @return whether the history should tell of it */
    boolean waits(DatanodeId datanode, GroupId group, String reason) {
        waits.put(datanode, new Waits(around.nowMillis(), reason));
        return delays.waiting() < MOST_WAITING && delays.waits(group, reason);
    }

    /** Something of a datanode waits for what will come by itself, which is no news. */
    void waits(DatanodeId datanode, String reason) {
        waits.put(datanode, new Waits(around.nowMillis(), reason));
    }

    /** Why something on a datanode does not move. */
    Optional<String> waiting(DatanodeId datanode) {
        return Optional.ofNullable(waits.get(datanode))
                .filter(last -> !around.passed(STALE, last.atMillis()))
                .map(Waits::reason);
    }

    /** Groups of which a chunk does not move, for monitoring. */
    int waiting() {
        return delays.waiting();
    }
}
