package io.ecfs.namenode.rebalance;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A sealed group as the mover sees it (ec-store paper: a block, with its row of C).
 *
 * @param least chunks that a reader needs of it: k
 * @param chunkBytes of its largest chunk: z
 * @param places of all its chunks, by their index
 */
public record Block(GroupId group, int least, long chunkBytes, SortedMap<Integer, DatanodeId> places) {
    public Block {
        places = Collections.unmodifiableSortedMap(new TreeMap<>(places));
    }

    /** The same block with one chunk moved: C^(b,s,d). */
    Block with(int index, DatanodeId datanode) {
        TreeMap<Integer, DatanodeId> moved = new TreeMap<>(places);
        moved.put(index, datanode);
        return new Block(group, least, chunkBytes, moved);
    }

    boolean on(DatanodeId datanode) {
        return places.containsValue(datanode);
    }
}
