package io.ecfs.message.report;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.RebuildWork;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Trace of the repair of one lost chunk within an incident: detected, checked, planned, read, decoded, verified,
 * written, committed. Moments are milliseconds since the epoch by the leader's clock; those of the target are counted
 * back from its answer, so that clocks of two machines are never compared.
 *
 * @param detectedMillis when it was noticed that the chunk is not there
 * @param checkedMillis when it was found to need a repair
 * @param plannedMillis when the latest attempt was put into the log; empty while it waits
 * @param startedMillis when the target began; the phases up to {@code writtenMillis} have the end of each
 * @param datanode of the latest target
 * @param attempts begun
 * @param bytesRead by all attempts
 * @param bytesRepaired 0 until it is committed
 * @param work of the last attempt that reported it: busy time by phase, bytes by source
 * @param waiting why it is not being rebuilt, or why the latest attempt failed; empty when neither
 */
public record RepairTrace(
        GroupId group,
        int index,
        long detectedMillis,
        Optional<Long> checkedMillis,
        Optional<Long> plannedMillis,
        Optional<Long> startedMillis,
        Optional<Long> committedMillis,
        Optional<DatanodeId> datanode,
        long attempts,
        long bytesRead,
        long bytesRepaired,
        Optional<RebuildWork> work,
        Optional<String> waiting) {
    public RepairTrace {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(checkedMillis, "checkedMillis");
        Objects.requireNonNull(plannedMillis, "plannedMillis");
        Objects.requireNonNull(startedMillis, "startedMillis");
        Objects.requireNonNull(committedMillis, "committedMillis");
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(work, "work");
        Objects.requireNonNull(waiting, "waiting");
    }

    /** A trace of which only the loss is known. */
    public static RepairTrace detected(GroupId group, int index, long detectedMillis) {
        return new RepairTrace(
                group,
                index,
                detectedMillis,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty());
    }

    public Optional<Long> readMillis() {
        return ended(work.map(RebuildWork::read));
    }

    public Optional<Long> decodedMillis() {
        return ended(work.map(RebuildWork::decode));
    }

    public Optional<Long> verifiedMillis() {
        return ended(work.map(RebuildWork::verify));
    }

    public Optional<Long> writtenMillis() {
        return ended(work.map(RebuildWork::write));
    }

    /** Bytes read of each source chunk by the last attempt that reported its work. */
    public List<RebuildWork.Source> sources() {
        return work.map(RebuildWork::sources).orElse(List.of());
    }

    private Optional<Long> ended(Optional<RebuildWork.Phase> phase) {
        return phase.filter(p -> p.endMillis() >= 0)
                .flatMap(p -> startedMillis.map(started -> started + p.endMillis()));
    }
}
