package io.ecfs.bench.meter;

import io.ecfs.bench.meter.Daemon.Role;
import io.ecfs.message.Metering.CallerKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Time and resources of a part of a run, in all and by process and daemon. */
public record Cost(double seconds, MachineCounters machine, List<ProcessCost> processes, List<FlowCost> flows) {
    private static final double GB = 1e9;

    public Cost {
        processes = List.copyOf(processes);
        flows = List.copyOf(flows);
    }

    public double cpuSeconds() {
        return sum(ProcessCost::cpuSeconds);
    }

    /** Of contexts, by all threads. */
    public long switches() {
        return total(ProcessCost::switches);
    }

    /** Bytes both ways between callers of a kind and daemons of a role. */
    public long wireBytes(CallerKind caller, Role role) {
        return flows.stream()
                .filter(flow -> flow.caller() == caller && flow.daemon().role() == role)
                .mapToLong(FlowCost::bytes)
                .sum();
    }

    /**
     * The members of a figure's {@code params} with its cost: first those that the HDFS peer's runs have, then ours.
     *
     * @param bytes of user data that were moved; 0 omits costs per byte
     */
    public Map<String, Object> params(long bytes, long operations) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("seconds", seconds);
        if (bytes > 0) {
            params.put("bytes", bytes);
            params.put("cpu_s_per_GB", cpuSeconds() / (bytes / GB));
        }
        params.put("cpu_us_per_op", cpuSeconds() * 1e6 / operations);
        params.put("cpu_user_s", sum(ProcessCost::userSeconds));
        params.put("cpu_sys_s", sum(ProcessCost::systemSeconds));
        params.put("csw_per_op", switches() / (double) operations);
        params.put("ops", operations);
        if (bytes > 0) {
            params.put("lo_bytes_per_byte", machine.loopbackBytes() / (double) bytes);
            params.put("disk_written_per_byte", machine.diskWrittenBytes() / (double) bytes);
            params.put("disk_read_per_byte", machine.diskReadBytes() / (double) bytes);
            params.put(
                    "wire_client_bytes_per_byte",
                    (wireBytes(CallerKind.CLIENT, Role.DATANODE) + wireBytes(CallerKind.CLIENT, Role.NAMENODE))
                            / (double) bytes);
            params.put("wire_datanode_bytes_per_byte", wireBytes(CallerKind.DATANODE, Role.DATANODE) / (double) bytes);
        }
        params.put(
                "wire_client_bytes_per_op",
                (wireBytes(CallerKind.CLIENT, Role.DATANODE) + wireBytes(CallerKind.CLIENT, Role.NAMENODE))
                        / (double) operations);
        params.put(
                "wire_report_bytes_per_op",
                (wireBytes(CallerKind.DATANODE, Role.NAMENODE) + wireBytes(CallerKind.NAMENODE, Role.NAMENODE))
                        / (double) operations);
        params.put("rss_peak_bytes", total(ProcessCost::peakResidentBytes));
        params.put("heap_peak_bytes", total(ProcessCost::heapPeakBytes));
        params.put("direct_peak_bytes", total(ProcessCost::directPeakBytes));
        params.put("processes", processes.stream().map(Cost::process).toList());
        params.put("flows", flows.stream().map(Cost::flow).toList());
        return params;
    }

    private static Map<String, Object> process(ProcessCost process) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("process", process.name());
        members.put("cpu_user_s", process.userSeconds());
        members.put("cpu_sys_s", process.systemSeconds());
        members.put("csw", process.switches());
        members.put("disk_read_bytes", process.diskReadBytes());
        members.put("disk_written_bytes", process.diskWrittenBytes());
        members.put("rss_peak_bytes", process.peakResidentBytes());
        if (process.heapPeakBytes() > 0) {
            members.put("heap_peak_bytes", process.heapPeakBytes());
            members.put("direct_peak_bytes", process.directPeakBytes());
        }
        return members;
    }

    private static Map<String, Object> flow(FlowCost flow) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("daemon", flow.daemon().id());
        members.put("caller", flow.caller().name().toLowerCase(Locale.ROOT));
        members.put("requests", flow.requests());
        members.put("received_bytes", flow.receivedBytes());
        members.put("sent_bytes", flow.sentBytes());
        members.put("handled_s", flow.handledSeconds());
        return members;
    }

    private double sum(ToDoubleFunction<ProcessCost> value) {
        return processes.stream().mapToDouble(value).sum();
    }

    private long total(ToLongFunction<ProcessCost> value) {
        return processes.stream().mapToLong(value).sum();
    }
}
