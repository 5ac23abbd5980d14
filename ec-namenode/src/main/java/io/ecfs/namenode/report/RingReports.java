package io.ecfs.namenode.report;

import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.DatanodeReport.VolumeOffer;
import io.ecfs.message.ring.RingVolumeStatus;
import java.util.Collection;
import java.util.List;
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
    private final TreeMap<VolumeId, Boolean> journals = new TreeMap<>();

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

    /** Replaces what was known of a volume that its datanode registers. */
    public void registered(VolumeId volume, VolumeOffer offer) {
        offer.directory().ifPresent(directory -> directories.put(volume, directory));
        journals.put(volume, offer.journalBound().isPresent());
    }

    public Optional<Received> status(VolumeId volume) {
        return Optional.ofNullable(statuses.get(volume));
    }

    /** Directory by which operators call the volume; empty while it has not been registered here with it. */
    public Optional<String> directory(VolumeId volume) {
        return Optional.ofNullable(directories.get(volume));
    }

    /** Returns whether the volume has a journal; empty while it has not been registered here. */
    public Optional<Boolean> journal(VolumeId volume) {
        return Optional.ofNullable(journals.get(volume));
    }
}
