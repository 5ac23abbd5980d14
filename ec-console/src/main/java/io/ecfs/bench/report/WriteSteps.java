package io.ecfs.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The time of a write in five steps, after Kim et al. (exa-scale storage, section 4), as {@code WriteTimes} of the
 * client measures it:
 *
 * <ul>
 *   <li>CO, client overhead: user bytes copied into cells and their checksums (client), calls to the namenode
 *       (namenode), the way to a datanode that relays and back (transfer),
 *   <li>MP, master process: what such a datanode does beside the other steps,
 *   <li>PC, parity calculation, by the client or by that datanode,
 *   <li>DD, data distribution: from sending a stripe to its last acknowledgement, without the slave's part,
 *   <li>SP, slave process: the handling of the datanode that answered last.
 * </ul>
 *
 * Each is added up over stripes and writers. Stripes overlap, so the sum may be longer than the run.
 *
 * @param relayed stripes that a datanode encoded
 */
public record WriteSteps(
        long stripes,
        long relayed,
        double clientSeconds,
        double namenodeSeconds,
        double transferSeconds,
        double masterSeconds,
        double paritySeconds,
        double distributionSeconds,
        double slaveSeconds) {
    /** Name of the parameter that holds them. */
    public static final String PARAM = "write_steps";

    private static final String NAMENODE = "namenode_s";
    private static final String MASTER = "managing_s";

    /** The key of the namenode's time in records made before 2026-11-23. */
    private static final String NAMENODE_BEFORE = "master_s";

    /** Empty for a figure of something that does not write. */
    static Optional<WriteSteps> of(Figure figure) {
        if (!(figure.params().get(PARAM) instanceof Map<?, ?> map)) {
            return Optional.empty();
        }
        return Optional.of(new WriteSteps(
                (long) number(map, "stripes"),
                (long) number(map, "relayed"),
                number(map, "client_s"),
                number(map, map.containsKey(NAMENODE) ? NAMENODE : NAMENODE_BEFORE),
                number(map, "transfer_s"),
                number(map, MASTER),
                number(map, "parity_s"),
                number(map, "distribution_s"),
                number(map, "slave_s")));
    }

    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("stripes", stripes);
        members.put("relayed", relayed);
        members.put("client_s", clientSeconds);
        members.put(NAMENODE, namenodeSeconds);
        members.put("transfer_s", transferSeconds);
        members.put(MASTER, masterSeconds);
        members.put("parity_s", paritySeconds);
        members.put("distribution_s", distributionSeconds);
        members.put("slave_s", slaveSeconds);
        return members;
    }

    double sum() {
        return overheadSeconds() + masterSeconds + paritySeconds + distributionSeconds + slaveSeconds;
    }

    /** CO, client overhead. */
    double overheadSeconds() {
        return clientSeconds + namenodeSeconds + transferSeconds;
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
