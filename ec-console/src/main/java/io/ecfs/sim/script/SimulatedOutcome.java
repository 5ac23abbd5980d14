package io.ecfs.sim.script;

import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.layout.Policy;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What came of a fault experiment in the simulation; equal for two runs of one profile.
 *
 * @param faults in the order of the profile
 * @param phases from the first fault that took chunks away, or from the first, over all unplanned incidents
 * @param groupsLostExpected groups of which a fault of a budget {@code beyond} took more than the code survives
 * @param groupsLostSeen groups that the leader reported lost at any time
 * @param leastSpare losses that any group would have survived beside all that was away; empty: no fault took chunks
 *     away
 * @param traceHash of everything that happened
 * @param virtualMillis that it took in the simulation
 */
public record SimulatedOutcome(
        Policy policy,
        int repetition,
        List<Fault> faults,
        PhaseTimes phases,
        Load load,
        int groupsLostExpected,
        int groupsLostSeen,
        OptionalInt leastSpare,
        long traceHash,
        long events,
        long virtualMillis) {
    public SimulatedOutcome {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(phases, "phases");
        Objects.requireNonNull(load, "load");
        Objects.requireNonNull(leastSpare, "leastSpare");
        faults = List.copyOf(faults);
    }

    /**
     * One fault, and what the namenodes' history tells of it.
     *
     * @param victims names of volumes ({@code dn3/0}), datanodes, racks or namenodes
     * @param injectedMillis of virtual time, since the simulation began
     * @param undoneMillis as well
     * @param rebuilt what it took away was rebuilt before it was undone
     * @param healedMillis of virtual time, when the last of its incidents was healed; empty without one
     * @param incidents that it opened
     * @param bytesRead of sources, to repair
     * @param bytesRepaired of chunks that took their places
     * @param chunksRepaired number of these chunks
     */
    public record Fault(
            FaultKind kind,
            List<String> victims,
            long injectedMillis,
            long undoneMillis,
            boolean rebuilt,
            OptionalLong healedMillis,
            PhaseTimes phases,
            int incidents,
            long bytesRead,
            long bytesRepaired,
            long chunksRepaired) {
        public Fault {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(healedMillis, "healedMillis");
            Objects.requireNonNull(phases, "phases");
            victims = List.copyOf(victims);
        }
    }

    /**
     * What clients did; in the end each byte of each closed file was read back and compared.
     *
     * @param files read back
     * @param bytesBack of them
     * @param read files, while faults lasted
     * @param written files, meanwhile
     * @param failed requests, meanwhile
     * @param wrong of the read ones: their bytes were forged, with right checksums
     */
    public record Load(int files, long bytesBack, long read, long written, long failed, long wrong) {}
}
