package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Processes of one role added up, so that ten datanodes take one line of a table. */
final class ProcessGroups {
    private ProcessGroups() {}

    /** Maps as in a figure's {@code processes}, with the members added up and the number of processes in their name. */
    static List<Map<String, Object>> of(List<Map<String, Object>> processes) {
        Map<String, List<Map<String, Object>>> byRole = new LinkedHashMap<>();
        for (Map<String, Object> process : processes) {
            byRole.computeIfAbsent(Roles.of(String.valueOf(process.get("process"))), role -> new ArrayList<>())
                    .add(process);
        }
        List<Map<String, Object>> groups = new ArrayList<>();
        byRole.forEach((role, members) -> groups.add(Roles.sum(
                members, Map.of("process", members.size() == 1 ? members.get(0).get("process") : role + "s"))));
        return groups;
    }
}
