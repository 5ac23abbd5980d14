package io.ecfs.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The time of a write in five steps, after Kim et al. (exa-scale storage, section 4). Their first datanode, the master,
 * encodes and distributes; here the client does, so there is no master process, and what they call client overhead
 * stands here in two steps:
 *
 * <ul>
 *   <li>client: client overhead, user bytes copied into cells,
 *   <li>namenode: client overhead, calls to the namenode (create, groups, seals, close),
 *   <li>parity: encoding and checksums,
 *   <li>distribution: from sending a stripe to its last acknowledgement, without the slaves' part,
 *   <li>slave: a datanode's time for its share of a stripe, from the arrival of a request to its answer.
 * </ul>
 *
 * Each is added up over stripes and writers. Stripes overlap, so the sum may be longer than the run.
 */
public record WriteSteps(
        long stripes,
        double clientSeconds,
        double namenodeSeconds,
        double paritySeconds,
        double distributionSeconds,
        double slaveSeconds) {
    /** Name of the parameter that holds them. */
    public static final String PARAM = "write_steps";

    private static final String NAMENODE = "namenode_s";

    /** Its key in records made before 2026-11-23. */
    private static final String NAMENODE_BEFORE = "master_s";

    /** Empty for a figure of something that does not write. */
    static Optional<WriteSteps> of(Figure figure) {
        if (!(figure.params().get(PARAM) instanceof Map<?, ?> map)) {
            return Optional.empty();
        }
        return Optional.of(new WriteSteps(
                (long) number(map, "stripes"),
                number(map, "client_s"),
                number(map, map.containsKey(NAMENODE) ? NAMENODE : NAMENODE_BEFORE),
                number(map, "parity_s"),
                number(map, "distribution_s"),
                number(map, "slave_s")));
    }

    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("stripes", stripes);
        members.put("client_s", clientSeconds);
        members.put(NAMENODE, namenodeSeconds);
        members.put("parity_s", paritySeconds);
        members.put("distribution_s", distributionSeconds);
        members.put("slave_s", slaveSeconds);
        return members;
    }

    double sum() {
        return clientSeconds + namenodeSeconds + paritySeconds + distributionSeconds + slaveSeconds;
    }

    /** {@code 1.23 ms 40 %}: of one stripe, and of the sum. */
    String cell(double seconds) {
        double whole = sum();
        return Cells.number(stripes == 0 ? 0 : seconds * 1000 / stripes) + " ms "
                + Math.round(whole <= 0 ? 0 : 100 * seconds / whole) + " %";
    }

    private static double number(Map<?, ?> map, String member) {
        return map.get(member) instanceof Number number ? number.doubleValue() : 0;
    }
}
