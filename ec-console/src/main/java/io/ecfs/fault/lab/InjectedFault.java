package io.ecfs.fault.lab;

import io.ecfs.fault.profile.FaultKind;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A fault of an experiment, after it was undone.
 *
 * @param victims as its level names them
 * @param injectedMillis since the epoch
 * @param undoneMillis since the epoch
 * @param lossesPerGroup number of groups that lost 0, 1, 2 … chunks with the volumes away then
 * @param leastSpare losses that every group survived beyond these; negative when a group was lost
 */
public record InjectedFault(
        FaultKind fault,
        List<String> victims,
        long injectedMillis,
        long undoneMillis,
        SortedMap<Integer, Long> lossesPerGroup,
        int leastSpare) {
    public InjectedFault {
        Objects.requireNonNull(fault, "fault");
        victims = List.copyOf(victims);
        lossesPerGroup = Collections.unmodifiableSortedMap(new TreeMap<>(lossesPerGroup));
    }
}
