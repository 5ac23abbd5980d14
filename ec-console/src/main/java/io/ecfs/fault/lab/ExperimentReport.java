package io.ecfs.fault.lab;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import io.ecfs.console.view.TextTable;
import io.ecfs.fault.record.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Results of experiments as tables for people and figures for scripts. */
public final class ExperimentReport {
    private static final double MEGA = 1e6;
    private static final double GIGA = 1e9;

    private ExperimentReport() {}

    /** Figures of one result; {@code fault_phase}, {@code fault_checking_share} and others, docs/ecfault.md. */
    public static List<Figure> figures(ExperimentResult result) {
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("policy", result.policy().name());
        what.put("rep", result.repetition());
        what.put(
                "faults",
                result.faults().stream().map(fault -> fault.fault().word()).collect(Collectors.joining("+")));
        List<Figure> figures = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            result.phases().seconds(phase).ifPresent(seconds -> {
                Map<String, Object> params = new LinkedHashMap<>(what);
                params.put("phase", phase.name());
                figures.add(new Figure("fault_phase", seconds, "s", params));
            });
        }
        if (result.repaired() > 0) {
            Map<String, Object> params = new LinkedHashMap<>(what);
            params.put("of_paper", result.phases().checkingShareOfThePaper());
            figures.add(new Figure("fault_checking_share", result.phases().checkingShare(), "ratio", params));
            Map<String, Object> rate = new LinkedHashMap<>(what);
            rate.put("bytes", result.repairedBytes());
            rate.put("chunks", result.repaired());
            rate.put("cpu_s_per_GB", result.cpuSeconds() / (result.repairedBytes() / GIGA));
            rate.put("read_per_byte", result.readPerByte());
            figures.add(new Figure("fault_recovery_rate", result.bytesPerSecond() / MEGA, "MB/s", rate));
        }
        return figures;
    }

    /** One row for each result. */
    public static Table table(List<ExperimentResult> results) {
        List<List<String>> rows = new ArrayList<>();
        for (ExperimentResult result : results) {
            List<String> row = new ArrayList<>(
                    List.of(result.policy().name(), String.valueOf(result.repetition()), victims(result)));
            for (Phase phase : Phase.values()) {
                row.add(seconds(result.phases().seconds(phase)));
            }
            row.add(result.repaired() == 0 ? "-" : percent(result.phases().checkingShare()));
            row.add(result.repaired() == 0 ? "-" : percent(result.phases().checkingShareOfThePaper()));
            row.add(String.valueOf(result.repaired()));
            row.add(TextTable.bytes(result.repairedBytes()));
            row.add(result.repaired() == 0 ? "-" : number(result.readPerByte()));
            row.add(result.repaired() == 0 ? "-" : number(result.bytesPerSecond() / MEGA));
            row.add(result.problems().isEmpty() ? "all bytes read back" : "FAILED");
            rows.add(row);
        }
        List<String> heads = new ArrayList<>(List.of("POLICY", "REP", "FAULTS"));
        for (Phase phase : Phase.values()) {
            heads.add(phase.name());
        }
        heads.addAll(List.of("CHECKING", "PAPER'S", "CHUNKS", "REBUILT", "READ/BYTE", "MB/S", "VERDICT"));
        return new Table("Recovery timelines, seconds", heads, rows);
    }

    /** One row for each fault: whom it hurt, and what groups lost by it. */
    public static Table faults(List<ExperimentResult> results) {
        List<List<String>> rows = new ArrayList<>();
        for (ExperimentResult result : results) {
            for (InjectedFault fault : result.faults()) {
                rows.add(List.of(
                        result.policy().name(),
                        String.valueOf(result.repetition()),
                        fault.fault().word(),
                        String.join(" ", fault.victims()),
                        number((fault.undoneMillis() - fault.injectedMillis()) / 1e3) + " s",
                        fault.lossesPerGroup().entrySet().stream()
                                .map(lost -> lost.getKey() + ": " + lost.getValue())
                                .collect(Collectors.joining(", ")),
                        fault.leastSpare() < 0 ? "LOST" : String.valueOf(fault.leastSpare())));
            }
        }
        return new Table(
                "Faults: groups by chunks lost, and losses that every group survived beside",
                List.of("POLICY", "REP", "FAULT", "VICTIMS", "LASTED", "LOST: GROUPS", "SPARE"),
                rows);
    }

    /** What went wrong, and what clients saw. */
    public static List<String> notes(List<ExperimentResult> results) {
        List<String> notes = new ArrayList<>();
        for (ExperimentResult result : results) {
            String what = result.policy() + ", repetition " + result.repetition() + ": ";
            ClientCounts clients = result.clients();
            if (clients.reads() + clients.writes() + clients.failedWrites() > 0) {
                notes.add(what + "clients read " + clients.reads() + " files (" + clients.failedReads()
                        + " failed) and wrote " + clients.writes() + " (" + clients.failedWrites() + " failed)");
            }
            if (result.lostGroups() > 0) {
                notes.add(what + result.lostGroups() + " groups were lost until the faults were undone");
            }
            result.problems().forEach(problem -> notes.add(what + problem));
        }
        return notes;
    }

    private static String victims(ExperimentResult result) {
        return result.faults().stream()
                .map(fault -> fault.fault().word() + " " + String.join(" ", fault.victims()))
                .collect(Collectors.joining(", "));
    }

    private static String seconds(OptionalDouble seconds) {
        return seconds.isPresent() ? number(seconds.getAsDouble()) : "-";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
