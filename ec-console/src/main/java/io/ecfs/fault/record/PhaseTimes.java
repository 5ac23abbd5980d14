package io.ecfs.fault.record;

import io.ecfs.message.report.Incident;
import io.ecfs.message.report.RepairTrace;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The recovery timeline of a fault. A fault with several victims opens several incidents: each phase ends with the first
 * of them, RECOVERY and SETTLING with the last.
 *
 * @param injectedMillis since the epoch, by the clock of the incidents
 * @param millis of each phase that was gone through; together they are the time from injected to healed
 */
public record PhaseTimes(long injectedMillis, Map<Phase, Long> millis) {
    private static final double MILLIS = 1e3;

    public PhaseTimes {
        millis = Collections.unmodifiableMap(millis.isEmpty() ? new EnumMap<>(Phase.class) : new EnumMap<>(millis));
    }

    /**
     * The phases of these incidents.
     *
     * @param incidents opened by the fault; none: it was not noticed
     * @param repairs of these incidents; the history retains a bounded number of each, and of an incident with more
     *     RECOVERY ends when it is healed
     */
    public static PhaseTimes of(long injectedMillis, Collection<Incident> incidents, Collection<RepairTrace> repairs) {
        Ends ends = new Ends(injectedMillis);
        ends.end(Phase.NOTICE, least(incidents, incident -> OptionalLong.of(incident.detectedMillis())));
        ends.end(Phase.GRACE, least(incidents, incident -> OptionalLong.of(incident.deadMillis())));
        ends.end(Phase.CHECKING, least(incidents, incident -> of(incident.firstRepairMillis())));
        boolean healed =
                incidents.stream().allMatch(incident -> incident.healedMillis().isPresent());
        OptionalLong healedAt = healed ? greatest(incidents) : OptionalLong.empty();
        boolean allTraced = incidents.stream().allMatch(incident -> incident.repaired() <= incident.traces());
        ends.end(Phase.RECOVERY, allTraced ? lastCommit(repairs) : healedAt);
        ends.end(Phase.SETTLING, healedAt);
        return new PhaseTimes(injectedMillis, ends.millis);
    }

    /** Phases one behind the other; a moment before the end of the phase before it counts as that end. */
    private static final class Ends {
        private final Map<Phase, Long> millis = new EnumMap<>(Phase.class);
        private long last;

        Ends(long begin) {
            last = begin;
        }

        void end(Phase phase, OptionalLong at) {
            if (at.isPresent()) {
                long end = Math.max(last, at.getAsLong());
                millis.put(phase, end - last);
                last = end;
            }
        }
    }

    /** Seconds of a phase; empty when it was not gone through. */
    public OptionalDouble seconds(Phase phase) {
        Long time = millis.get(phase);
        return time == null ? OptionalDouble.empty() : OptionalDouble.of(time / MILLIS);
    }

    /** Seconds from injected to healed, or as far as it came. */
    public double totalSeconds() {
        return millis.values().stream().mapToLong(Long::longValue).sum() / MILLIS;
    }

    /** Share of CHECKING in the time from dead to healed: what can be worked on. 0 when nothing was rebuilt. */
    public double checkingShare() {
        return share(of(Phase.CHECKING), of(Phase.CHECKING) + of(Phase.RECOVERY) + of(Phase.SETTLING));
    }

    /** The paper's share: everything from detected to the first byte read, in the time from detected to healed. */
    public double checkingShareOfThePaper() {
        long before = of(Phase.GRACE) + of(Phase.CHECKING);
        return share(before, before + of(Phase.RECOVERY) + of(Phase.SETTLING));
    }

    private long of(Phase phase) {
        return millis.getOrDefault(phase, 0L);
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : part / (double) whole;
    }

    private static OptionalLong of(java.util.Optional<Long> moment) {
        return moment.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    private static OptionalLong least(Collection<Incident> incidents, Function<Incident, OptionalLong> moment) {
        return incidents.stream()
                .map(moment)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .min();
    }

    private static OptionalLong lastCommit(Collection<RepairTrace> repairs) {
        return repairs.stream()
                .flatMapToLong(
                        repair -> repair.committedMillis().map(LongStream::of).orElse(LongStream.empty()))
                .max();
    }

    private static OptionalLong greatest(Collection<Incident> incidents) {
        return incidents.stream()
                .flatMapToLong(
                        incident -> incident.healedMillis().map(LongStream::of).orElse(LongStream.empty()))
                .max();
    }
}
