package io.ecfs.sim.script;

import io.ecfs.fault.profile.FaultStep.Moment;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Repairs;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Waits for moments of the first repair that begins after a fault. */
final class RepairMoments {
    private final Cluster cluster;
    private final List<Awaited> awaited = new ArrayList<>();
    private final TreeMap<ChunkId, VolumeId> attempts = new TreeMap<>();
    private long readEntry = -1;

    /** @param before attempts that were there when it was first waited for */
    private record Awaited(Moment moment, TreeSet<ChunkId> before, Runnable then) {}

    RepairMoments(Cluster cluster) {
        this.cluster = cluster;
    }

    void await(Moment moment, Runnable then) {
        readFacts();
        awaited.add(new Awaited(moment, new TreeSet<>(attempts.keySet()), then));
    }

    /** Returns whether any is waited for. */
    boolean awaited() {
        return !awaited.isEmpty();
    }

    /** To be called after every event. */
    void afterEach() {
        if (awaited.isEmpty()) {
            return;
        }
        readFacts();
        for (Awaited one : List.copyOf(awaited)) {
            boolean now = attempts.entrySet().stream()
                    .filter(attempt -> !one.before().contains(attempt.getKey()))
                    .anyMatch(attempt -> is(one.moment(), attempt));
            if (now) {
                awaited.remove(one);
                one.then().run();
            }
        }
    }

    private boolean is(Moment moment, Map.Entry<ChunkId, VolumeId> attempt) {
        return switch (moment) {
            case ORDERED -> true;
            case HALF_WRITTEN -> begun(attempt.getKey(), attempt.getValue());
            case PUBLISHED -> published(attempt.getKey(), attempt.getValue());
        };
    }

    private boolean begun(ChunkId chunk, VolumeId target) {
        Optional<ChunkRecord> record = cluster.datanodes().stream()
                .filter(host -> host.has(target))
                .findFirst()
                .filter(DatanodeHost::up)
                .flatMap(host -> host.find(target, chunk));
        return record.filter(there -> there.state() == ChunkState.BEING_WRITTEN && there.bytes() > 0)
                .isPresent();
    }

    private boolean published(ChunkId chunk, VolumeId target) {
        try (MetadataView facts = cluster.newest().orElseThrow().state().view()) {
            return facts.group(chunk.group())
                    .flatMap(group -> group.volumeOf(chunk))
                    .equals(Optional.of(target));
        }
    }

    private void readFacts() {
        long entry = cluster.newest().orElseThrow().state().applied().index();
        if (entry == readEntry) {
            return;
        }
        readEntry = entry;
        try (MetadataView facts = cluster.newest().orElseThrow().state().view()) {
            facts.groups(new GroupId(1), group -> {
                for (int index = 0; index < group.places().size(); index++) {
                    note(facts, group, index);
                }
                return true;
            });
        }
    }

    private void note(MetadataView facts, GroupFacts group, int index) {
        facts.repair(group.group(), index)
                .filter(attempt -> attempt.target().isPresent())
                .ifPresent((Repairs.Attempt attempt) ->
                        attempts.put(attempt.chunk(), attempt.target().get()));
    }
}
