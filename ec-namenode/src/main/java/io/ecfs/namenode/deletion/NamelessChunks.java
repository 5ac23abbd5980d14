package io.ecfs.namenode.deletion;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.ChunkOnVolume;
import java.util.List;
import java.util.TreeMap;

/**
 * Chunks whose headers are lost, mostly with the power before they were on disk, and with them the stamp that tells two
 * groups of one number apart. File names still give group and index. Such a chunk is attributed to the group that the
 * facts know by that number, so that it is judged as any other chunk of it, when
 *
 * <pre>
 *   every volume that ever registered is served                  nothing of another group of the number is out of sight
 *   no volume has a chunk of that number with another stamp      the number never had two groups, or no chunk of the
 *                                                                other one is left
 *   both for garbage.delay                                       as what was deleted by name waits
 * </pre>
 *
 * Otherwise it is retained. Owner thread: the namenode's event thread.
 */
public final class NamelessChunks {
    private static final int MOST_WATCHED = 10_000;
    private static final int MOST_OF_A_GROUP = 1000;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final TreeMap<ChunkOnVolume, Long> seenMillis = new TreeMap<>();

    NamelessChunks(NamenodeContext context, ClusterView cluster) {
        this.context = context;
        this.cluster = cluster;
    }

    public static boolean nameless(ChunkRecord record) {
        return record.state() == ChunkState.CORRUPT && record.stamp() == Stamp.NONE;
    }

    /**
     * Returns whether a nameless chunk belongs to the group with this stamp beyond doubt; checked repeatedly while it
     * is retained.
     */
    boolean attributable(ChunkOnVolume stored, int stamp) {
        Long seen = seenMillis.get(stored);
        if (seen == null) {
            if (seenMillis.size() >= MOST_WATCHED) {
                seenMillis.clear(); // they only wait longer
            }
            seen = context.nowMillis();
            seenMillis.put(stored, seen);
        }
        if (!context.passed(context.settings().garbage().delay(), seen)) {
            return false;
        }
        boolean alone = cluster.topology().volumes().stream()
                .allMatch(volume -> cluster.serving(volume)
                        && onlyStamp(volume, stored.chunk().group(), stamp));
        if (alone) {
            seenMillis.remove(stored);
        } else {
            seenMillis.put(stored, context.nowMillis());
        }
        return alone;
    }

    private boolean onlyStamp(VolumeId volume, GroupId group, int stamp) {
        ChunkId first = new ChunkId(group, 0, 0);
        if (cluster.catalog()
                .find(volume, first)
                .filter(record -> foreign(record, stamp))
                .isPresent()) {
            return false;
        }
        List<ChunkRecord> behind = cluster.catalog().after(volume, first, MOST_OF_A_GROUP);
        for (ChunkRecord record : behind) {
            if (!record.chunk().group().equals(group)) {
                return true;
            } else if (foreign(record, stamp)) {
                return false;
            }
        }
        return behind.size() < MOST_OF_A_GROUP;
    }

    private static boolean foreign(ChunkRecord record, int stamp) {
        return !nameless(record) && record.stamp() != stamp;
    }
}
