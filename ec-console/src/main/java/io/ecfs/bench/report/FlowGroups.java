package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Flows to daemons of one role from callers of one kind, added up. */
final class FlowGroups {
    private FlowGroups() {}

    /** Maps as in a figure's {@code flows}. */
    static List<Map<String, Object>> of(List<Map<String, Object>> flows) {
        Map<List<String>, List<Map<String, Object>>> byEnds = new LinkedHashMap<>();
        for (Map<String, Object> flow : flows) {
            byEnds.computeIfAbsent(
                            List.of(String.valueOf(flow.get("caller")), Roles.of(String.valueOf(flow.get("daemon")))),
                            ends -> new ArrayList<>())
                    .add(flow);
        }
        List<Map<String, Object>> groups = new ArrayList<>();
        byEnds.forEach((ends, members) ->
                groups.add(Roles.sum(members, Map.of("caller", ends.get(0) + "s", "daemon", ends.get(1) + "s"))));
        return groups;
    }
}
