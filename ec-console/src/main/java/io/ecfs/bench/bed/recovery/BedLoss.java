package io.ecfs.bench.bed.recovery;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.ChunkRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What dies with some datanodes.
 *
 * @param groupsByLosses at place i the number of groups of which i chunks are lost
 */
record BedLoss(long bytes, long chunks, List<Integer> groupsByLosses) {
    /** @throws IllegalArgumentException when a group cannot be read without them */
    static BedLoss of(List<PretendDatanode> victims, int groups, ErasureCode code) {
        Map<GroupId, ChunkSet> lost = new TreeMap<>();
        long bytes = 0;
        long chunks = 0;
        for (PretendDatanode victim : victims) {
            for (ChunkRecord chunk : victim.chunks()) {
                lost.merge(chunk.chunk().group(), ChunkSet.of(chunk.chunk().index()), ChunkSet::union);
                chunks++;
            }
            bytes += victim.bytes();
        }
        if (chunks == 0) {
            throw new IllegalArgumentException("nothing is on the datanodes that die");
        }
        List<Integer> byLosses = new ArrayList<>(Collections.nCopies(code.chunks() + 1, 0));
        byLosses.set(0, groups - lost.size());
        ChunkSet all = ChunkSet.range(0, code.chunks());
        lost.forEach((group, set) -> {
            if (!(code.plan(set, all.minus(set)) instanceof RepairPlan)) {
                throw new IllegalArgumentException("group " + group + " is lost for good without its chunks " + set);
            }
            byLosses.set(set.size(), byLosses.get(set.size()) + 1);
        });
        return new BedLoss(bytes, chunks, byLosses);
    }
}
