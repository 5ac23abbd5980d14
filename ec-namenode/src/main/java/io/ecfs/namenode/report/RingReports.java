package io.ecfs.namenode.report;

import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolumeStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reports of datanodes about their volumes in rings: soft state of every namenode, so that a new leader knows where the
 * rings are. Times are monotonic milliseconds. Owner thread: the namenode's event thread.
 */
public final class RingReports {
    /** @param atMillis when it was received */
    public record Received(RingVolumeStatus status, long atMillis) {}

    private final TreeMap<VolumeId, Received> statuses = new TreeMap<>();
    private final TreeMap<VolumeId, String> directories = new TreeMap<>();

    /**
     * Replaces what was known of a datanode's volumes.
     *
     * @param registered all volumes that the datanode ever had
     */
    public void onReport(Collection<VolumeId> registered, List<RingVolumeStatus> reported, long nowMillis) {
        registered.forEach(statuses::remove);
        reported.stream()
                .filter(status -> registered.contains(status.volume()))
                .forEach(status -> statuses.put(status.volume(), new Received(status, nowMillis)));
    }

    /** Notes the directories by which operators call volumes. */
    public void named(Map<VolumeId, String> directoryOf) {
        directories.putAll(directoryOf);
    }

    public Optional<Received> status(VolumeId volume) {
        return Optional.ofNullable(statuses.get(volume));
    }

    /** Empty while it has not been registered at this namenode with its directory. */
    public Optional<String> directory(VolumeId volume) {
        return Optional.ofNullable(directories.get(volume));
    }
}
