package io.ecfs.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Roles of daemons by their ids, as local clusters name them; a daemon with another name is a role of its own. */
final class Roles {
    private static final Pattern NAMENODE = Pattern.compile("nn\\d+");
    private static final Pattern DATANODE = Pattern.compile("dn\\d+");

    private Roles() {}

    static String of(String id) {
        if (NAMENODE.matcher(id).matches()) {
            return "namenode";
        }
        return DATANODE.matcher(id).matches() ? "datanode" : id;
    }

    /** The numbers of all maps added up, member by member, and the names given. */
    static Map<String, Object> sum(List<Map<String, Object>> maps, Map<String, Object> names) {
        Map<String, Object> sum = new LinkedHashMap<>(names);
        for (Map<String, Object> map : maps) {
            map.forEach((member, value) -> {
                if (value instanceof Number number) {
                    sum.merge(
                            member,
                            number.doubleValue(),
                            (a, b) -> ((Number) a).doubleValue() + ((Number) b).doubleValue());
                }
            });
        }
        return sum;
    }
}
