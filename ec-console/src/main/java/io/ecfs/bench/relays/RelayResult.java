package io.ecfs.bench.relays;

import io.ecfs.bench.meter.MemoryWatch;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One case, all of whose files were read back as they were written.
 *
 * @param bounds of the master
 * @param relays of the master
 * @param fallbacks of the writers, by the reason
 * @param seconds from the first create to the last close
 * @param memory of this process, with clients and all daemons, since its start
 */
public record RelayResult(
        RelayCase of,
        RelayPlan plan,
        RelaySettings bounds,
        RelayService.Totals relays,
        Map<ErrorCode, Long> fallbacks,
        double seconds,
        MemoryWatch.Worst memory) {
    private static final double MEGA = 1e6;
    private static final double MIB = 1 << 20;

    public RelayResult {
        fallbacks = Map.copyOf(fallbacks);
    }

    /** @throws EcfsException {@code INTERNAL} when the master went beyond a bound */
    void requireBounds() throws EcfsException {
        if (relays.mostBytes() > bounds.bytes() || relays.mostRelays() > bounds.most()) {
            throw new EcfsException(
                    ErrorCode.INTERNAL,
                    of.master() + " had " + relays.mostBytes() + " bytes in " + relays.mostRelays()
                            + " relays, more than relay.bytes=" + bounds.bytes() + " and relay.most=" + bounds.most());
        }
    }

    /** Groups whose writers encoded after all. */
    public long allFallbacks() {
        return fallbacks.values().stream().mapToLong(Long::longValue).sum();
    }

    /** MB/s (10^6 bytes) of all writers. */
    public double rate() {
        return plan.bytes() / MEGA / seconds;
    }

    /** Its lines of {@code --json}. */
    public List<Figure> figures() {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("case", of.word());
        params.put("policy", plan.policy().name());
        params.put("writers", plan.writers());
        params.put("clients", plan.clients());
        params.put("len", plan.fileBytes());
        params.put("relays_at_once", relays.mostRelays());
        params.put("relay_most", bounds.most());
        params.put("relay_bytes", bounds.bytes());
        params.put("cells", relays.cells());
        params.put("refused", relays.refused());
        params.put("fallbacks", allFallbacks());
        fallbacks.forEach(
                (reason, count) -> params.put("fallbacks_" + reason.name().toLowerCase(Locale.ROOT), count));
        params.put("heap_peak_bytes", memory.heapBytes());
        params.put("direct_peak_bytes", memory.directBytes());
        params.put("seconds", seconds);
        return List.of(
                new Figure("relays_write", rate(), "MB/s", params),
                new Figure("relays_peak", relays.mostBytes(), "bytes", params),
                new Figure("relays_process_peak", memory.residentBytes(), "bytes", params));
    }

    /** All cases of a run. */
    public static Table table(List<RelayResult> results) {
        List<List<String>> rows = new ArrayList<>();
        for (RelayResult result : results) {
            rows.add(List.of(
                    result.of.word(),
                    number(result.rate()),
                    result.relays.mostRelays() + " of " + result.bounds.most(),
                    number(result.relays.mostBytes() / MIB) + " of " + number(result.bounds.bytes() / MIB),
                    String.valueOf(result.relays.cells()),
                    String.valueOf(result.relays.refused()),
                    result.allFallbacks() + reasons(result.fallbacks),
                    number(result.memory.directBytes() / MIB),
                    number(result.memory.residentBytes() / MIB),
                    "equal"));
        }
        return new Table(
                "writers through one datanode each, all at once",
                List.of(
                        "BOUNDS",
                        "MB/s",
                        "RELAYS AT ONCE",
                        "PEAK MiB",
                        "CELLS",
                        "REFUSED",
                        "FALLBACKS",
                        "DIRECT MiB",
                        "PROCESS MiB",
                        "READ BACK"),
                rows);
    }

    private static String reasons(Map<ErrorCode, Long> fallbacks) {
        return fallbacks.isEmpty() ? "" : " " + fallbacks;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
