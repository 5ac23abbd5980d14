package io.ecfs.message.report;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Balance of the fill levels of volumes in service, and the state of rebalancing.
 *
 * @param asked an operator requested it, and it is not finished yet
 * @param background chunks are moved without a request
 * @param thresholdPermille by how much a volume may differ from the mean, of its room
 * @param bytesToMove until no volume differs by more, at least
 * @param moving chunks under way
 * @param chunksMoved by this leader
 * @param bytesMoved by this leader
 * @param waiting why nothing moves though volumes are out of balance
 * @param volumes fullest first
 */
public record BalanceReport(
        boolean asked,
        boolean background,
        int thresholdPermille,
        long bytesToMove,
        int moving,
        long chunksMoved,
        long bytesMoved,
        Optional<String> waiting,
        List<Volume> volumes) {
    public static final int MAX_VOLUMES = 5000;

    public BalanceReport {
        Objects.requireNonNull(waiting, "waiting");
        volumes = List.copyOf(volumes);
    }

    /**
     * @param usedBytes of chunks, those that are on their way counted where they will be
     * @param roomBytes of chunks and free ones
     * @param moveBytes until it is within the threshold: positive to come, negative to go
     */
    public record Volume(VolumeId id, DatanodeId datanode, long usedBytes, long roomBytes, long moveBytes) {}
}
