package io.ecfs.fault.lab;

import io.ecfs.fault.record.EventClass;
import io.ecfs.fault.record.LoggedEvent;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.layout.Policy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one repetition of a profile with one policy found.
 *
 * @param settings of the sweep's combination, value by key; of a run by itself none
 * @param racks names of the cluster's datanodes by rack
 * @param faults in the order of their injection
 * @param phases of the recovery from the first fault that took chunks away; empty of phases when none did
 * @param loadBytes of files that were written before
 * @param diskBytes of all chunk files before the faults
 * @param repairedBytes of chunks that were rebuilt
 * @param readBytes of sources
 * @param repaired chunks
 * @param failedRepairs attempts that failed
 * @param lostGroups most groups that were seen lost at a time
 * @param cpuSeconds of all daemons and clients, from the first fault to the last healed; without those of killed ones
 * @param diskReadBytes of the machine's disks in that time
 * @param diskWrittenBytes of the machine's disks in that time
 * @param clients what they saw meanwhile
 * @param events of the daemons' logs
 * @param eventCounts of all events, by class
 * @param problems what should not be: bytes lost, faults not undone; none: the experiment passed
 */
public record ExperimentResult(
        Policy policy,
        int repetition,
        Map<String, String> settings,
        Map<String, List<String>> racks,
        List<InjectedFault> faults,
        PhaseTimes phases,
        long loadBytes,
        long diskBytes,
        long repairedBytes,
        long readBytes,
        long repaired,
        long failedRepairs,
        long lostGroups,
        double cpuSeconds,
        long diskReadBytes,
        long diskWrittenBytes,
        ClientCounts clients,
        List<LoggedEvent> events,
        Map<EventClass, Long> eventCounts,
        List<String> problems) {
    public ExperimentResult {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(phases, "phases");
        Objects.requireNonNull(clients, "clients");
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        racks = Collections.unmodifiableMap(new LinkedHashMap<>(racks));
        faults = List.copyOf(faults);
        events = List.copyOf(events);
        eventCounts = Map.copyOf(eventCounts);
        problems = List.copyOf(problems);
    }

    /** The same of a combination of a sweep. */
    public ExperimentResult with(Map<String, String> combination) {
        return new ExperimentResult(
                policy,
                repetition,
                combination,
                racks,
                faults,
                phases,
                loadBytes,
                diskBytes,
                repairedBytes,
                readBytes,
                repaired,
                failedRepairs,
                lostGroups,
                cpuSeconds,
                diskReadBytes,
                diskWrittenBytes,
                clients,
                events,
                eventCounts,
                problems);
    }

    /** Bytes read for each byte rebuilt; 0 when none was. */
    public double readPerByte() {
        return repairedBytes == 0 ? 0 : readBytes / (double) repairedBytes;
    }

    /** Bytes on disks for each byte of the files. */
    public double writeAmplification() {
        return diskBytes / (double) loadBytes;
    }

    /** Rebuilt bytes a second, from dead to healed; 0 when none was. */
    public double bytesPerSecond() {
        double seconds = phases.healingSeconds();
        return repairedBytes == 0 || seconds <= 0 ? 0 : repairedBytes / seconds;
    }
}
