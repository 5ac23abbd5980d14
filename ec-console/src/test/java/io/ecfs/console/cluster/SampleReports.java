package io.ecfs.console.cluster;

import io.ecfs.console.view.Json;
import io.ecfs.fault.lab.ClientCounts;
import io.ecfs.fault.lab.ExperimentResult;
import io.ecfs.fault.lab.InjectedFault;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.record.EventClass;
import io.ecfs.fault.record.LoggedEvent;
import io.ecfs.fault.record.Phase;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reports of fault experiments as {@code ecfs fault --out} writes them, of experiments that never ran. */
final class SampleReports {
    private SampleReports() {}

    /** Two policies, two repetitions each; the last one lost bytes. */
    static void run(Path directory) throws IOException {
        List<ExperimentResult> results = new ArrayList<>();
        for (int repetition = 1; repetition <= 2; repetition++) {
            results.add(result("rs-3-2-64k", repetition, Map.of(), 4000L * repetition, List.of()));
            results.add(result(
                    "clay-4-2-5-64k",
                    repetition,
                    Map.of(),
                    2500,
                    repetition == 1 ? List.of() : List.of("/load/7 differs from byte 4096 on")));
        }
        write(directory, results);
    }

    /** Two settings of two values each, of which one matters. */
    static void sweep(Path directory) throws IOException {
        List<ExperimentResult> results = new ArrayList<>();
        for (String slices : List.of("1", "4")) {
            for (String grace : List.of("1s", "2s")) {
                Map<String, String> settings = new TreeMap<>(
                        Map.of("datanode.repair.slicesAtOnce", slices, "namenode.settings.recovery.grace", grace));
                results.add(result("rs-3-2-64k", 1, settings, slices.equals("1") ? 9000 : 3000, List.of()));
            }
        }
        write(directory, results);
    }

    private static void write(Path directory, List<ExperimentResult> results) throws IOException {
        Files.createDirectories(directory);
        try (PrintWriter out = new PrintWriter(directory.resolve("report.json").toFile(), StandardCharsets.UTF_8)) {
            Json.print(out, results);
        }
    }

    private static ExperimentResult result(
            String policy, int repetition, Map<String, String> settings, long recoveryMillis, List<String> problems) {
        Map<Phase, Long> phases = new EnumMap<>(Phase.class);
        phases.put(Phase.NOTICE, 1000L);
        phases.put(Phase.GRACE, 2000L);
        phases.put(Phase.CHECKING, 150L);
        phases.put(Phase.RECOVERY, recoveryMillis);
        phases.put(Phase.SETTLING, 350L);
        return new ExperimentResult(
                Policy.parse(policy),
                repetition,
                settings,
                new TreeMap<>(Map.of(
                        "/rack0", List.of("dn0", "dn1"), "/rack1", List.of("dn2", "dn3"), "/rack2", List.of("dn4"))),
                List.of(
                        fault(FaultKind.KILL, List.of("dn1"), 2),
                        fault(FaultKind.CUT, List.of("dn3/0"), 1),
                        fault(FaultKind.FREEZE, List.of("nn0"), 1)),
                new PhaseTimes(10_000, phases),
                1_000_000,
                1_700_000,
                400_000,
                1_200_000,
                12,
                1,
                0,
                1.5,
                2_000_000,
                800_000,
                new ClientCounts(40, 0, 12, 0, List.of()),
                List.of(new LoggedEvent(10_001, "nn0", EventClass.DETECT, "datanode_suspected", "event=x")),
                Map.of(EventClass.DETECT, 1L),
                problems);
    }

    private static InjectedFault fault(FaultKind kind, List<String> victims, int spare) {
        return new InjectedFault(kind, victims, 10_000, 13_000, new TreeMap<>(Map.of(0, 5L, 1, 12L)), spare);
    }
}
