package io.ecfs.datanode.server;

import io.ecfs.datanode.server.load.ServedBytes;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The volumes of a datanode, by the numbers that the cluster gave them. Safe for use by several threads. */
public final class Volumes implements AutoCloseable {
    private final List<ServedVolume> all;
    private final ServedBytes bytes = new ServedBytes();
    private volatile NavigableMap<VolumeId, ServedVolume> numbered = new TreeMap<>();

    public Volumes(List<ServedVolume> all) {
        this.all = List.copyOf(all);
    }

    /** In the order of the configuration, numbered or not. */
    public List<ServedVolume> all() {
        return all;
    }

    /** Counts of the bytes read from and written to them. */
    ServedBytes bytes() {
        return bytes;
    }

    /** Those that the cluster knows, by number. */
    public NavigableMap<VolumeId, ServedVolume> numbered() {
        return numbered;
    }

    /**
     * Takes the numbers that a registration gave.
     *
     * @throws EcfsException {@code WRONG_CLUSTER} when one contradicts an earlier one: nothing is taken
     */
    synchronized void number(Map<String, VolumeId> byUuid) throws EcfsException {
        NavigableMap<VolumeId, ServedVolume> next = new TreeMap<>(numbered);
        for (ServedVolume served : all) {
            VolumeId id = byUuid.get(served.volume().uuid());
            if (id == null) {
                continue;
            }
            ServedVolume before = next.put(id, served);
            long names = next.values().stream().filter(served::equals).count();
            if ((before != null && !before.equals(served)) || names > 1) {
                throw new EcfsException(
                        ErrorCode.WRONG_CLUSTER,
                        "volume " + served.volume().uuid() + " was numbered " + id
                                + " against an earlier registration; known are " + numbers());
            }
        }
        numbered = next;
    }

    /** @throws EcfsException {@code NOT_FOUND} */
    ServedVolume require(VolumeId id) throws EcfsException {
        ServedVolume served = numbered.get(id);
        if (served == null) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    "volume " + id + " is not one of this datanode's; it has " + numbered.keySet());
        }
        return served;
    }

    /** The number of a volume that has one. */
    Optional<VolumeId> numberOf(ServedVolume served) {
        return numbered.entrySet().stream()
                .filter(entry -> entry.getValue().equals(served))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The volume that has the chunk, rather one where it is being written. */
    Optional<ServedVolume> holding(ChunkId chunk) {
        Optional<ServedVolume> holder = Optional.empty();
        for (ServedVolume served : all) {
            Optional<ChunkRecord> record = served.volume().find(chunk);
            if (record.isPresent()) {
                holder = Optional.of(served);
                if (record.get().state() == ChunkState.BEING_WRITTEN) {
                    break;
                }
            }
        }
        return holder;
    }

    @Override
    public void close() {
        all.forEach(ServedVolume::close);
    }

    private Map<String, VolumeId> numbers() {
        Map<String, VolumeId> byUuid = new TreeMap<>();
        numbered.forEach((id, served) -> byUuid.put(served.volume().uuid(), id));
        return byUuid;
    }
}
