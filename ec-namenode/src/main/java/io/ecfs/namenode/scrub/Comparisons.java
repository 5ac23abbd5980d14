package io.ecfs.namenode.scrub;

import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.namenode.group.ChunkOnVolume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Comparisons that datanodes were ordered to make and have not answered. One datanode has many of small chunks, but few
 * of large ones, so that an answer does not wait long for the others. Owner thread: the namenode's event thread.
 */
final class Comparisons {
    /** Of one datanode. */
    private static final int MOST = 64;

    /** Of one datanode that has more than one. */
    private static final long MOST_BYTES = 2 * Policy.MAX_CHUNK_BYTES;

    /**
     * @param old the chunk that is garbage when they are alike
     * @param fresh the chunk that replaces it
     * @param reader the datanode that compares them
     * @param deadline past it the datanode is assumed to be unable
     */
    record Ordered(
            ChunkOnVolume old,
            ChunkOnVolume fresh,
            DatanodeId reader,
            DatanodeOrder.Compare order,
            long sinceMillis,
            Duration deadline) {}

    private record Load(int count, long bytes) {
        static final Load NONE = new Load(0, 0);

        Load plus(int more, long itsBytes) {
            return new Load(count + more, bytes + itsBytes);
        }
    }

    private final TreeMap<ChunkOnVolume, Ordered> byOld = new TreeMap<>();
    private final TreeMap<VolumeId, TreeMap<ChunkOnVolume, Ordered>> byVolume = new TreeMap<>();
    private final TreeMap<DatanodeId, Load> loads = new TreeMap<>();

    boolean contains(ChunkOnVolume old) {
        return byOld.containsKey(old);
    }

    /** Returns whether a datanode may receive another one. */
    boolean hasRoom(DatanodeId reader, long bytes) {
        Load load = loads.getOrDefault(reader, Load.NONE);
        return load.count() == 0 || (load.count() < MOST && load.bytes() + bytes <= MOST_BYTES);
    }

    void add(Ordered ordered) {
        byOld.put(ordered.old(), ordered);
        byVolume.computeIfAbsent(ordered.order().volume(), volume -> new TreeMap<>())
                .put(ordered.old(), ordered);
        loads.merge(
                ordered.reader(),
                Load.NONE.plus(1, ordered.order().bytes()),
                (load, one) -> load.plus(one.count(), one.bytes()));
    }

    private void remove(Ordered ordered) {
        byOld.remove(ordered.old());
        byVolume.computeIfPresent(ordered.order().volume(), (volume, its) -> {
            its.remove(ordered.old());
            return its.isEmpty() ? null : its;
        });
        loads.computeIfPresent(
                ordered.reader(),
                (reader, load) -> load.count() == 1
                        ? null
                        : load.plus(-1, -ordered.order().bytes()));
    }

    /** Ends comparisons that are no longer waited for. */
    List<Ordered> removeIf(Predicate<Ordered> over) {
        List<Ordered> ended = byOld.values().stream().filter(over).toList();
        ended.forEach(this::remove);
        return ended;
    }

    /** Ends the comparison that a volume's datanode answers; empty for one that was not ordered. */
    Optional<Ordered> answered(ChunkChange.Compared answer) {
        Optional<Ordered> ordered = byVolume.getOrDefault(answer.volume(), new TreeMap<>()).values().stream()
                .filter(its -> its.old().chunk().equals(answer.old())
                        && its.fresh().chunk().equals(answer.fresh()))
                .findFirst();
        ordered.ifPresent(this::remove);
        return ordered;
    }

    /** Orders for a volume's datanode. */
    List<DatanodeOrder> orders(VolumeId volume) {
        List<DatanodeOrder> orders = new ArrayList<>();
        byVolume.getOrDefault(volume, new TreeMap<>()).values().forEach(ordered -> orders.add(ordered.order()));
        return orders;
    }
}
