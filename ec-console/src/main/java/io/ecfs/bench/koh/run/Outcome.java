package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.CephTraffic;
import io.ecfs.bench.koh.KohStage;
import io.ecfs.bench.koh.Quantity;
import io.ecfs.bench.meter.Cost;
import io.ecfs.bench.meter.Daemon.Role;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.report.HtmlPage;
import io.ecfs.message.Metering.CallerKind;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One stage in one repetition.
 *
 * @param ours what was measured, in the unit of each quantity
 * @param rules what the rules of Ceph give for the same requests
 * @param params parameters of its figures: what was done and what it cost
 */
record Outcome(
        KohStage stage,
        int repetition,
        Map<Quantity, Double> ours,
        Map<Quantity, Double> rules,
        Map<String, Object> params) {
    private static final double MEGA = 1e6;
    private static final double NANOS_OF_MILLI = 1e6;
    private static final double MICROS = 1e6;

    /** @param volumes empty when they could not be counted */
    static Outcome of(
            KohStage stage,
            int repetition,
            Measured<Ran> measured,
            Optional<VolumeTraffic> volumes,
            CephTraffic rules) {
        Ran ran = measured.result();
        Cost cost = measured.cost();
        Map<Quantity, Double> ours = new EnumMap<>(Quantity.class);
        ours.put(Quantity.THROUGHPUT, ran.bytes() / MEGA / ran.seconds());
        ours.put(Quantity.LATENCY, ran.latencies().p50() / NANOS_OF_MILLI);
        ours.put(Quantity.CPU, cost.cpuSeconds() * MICROS / ran.requests());
        ours.put(Quantity.SWITCHES, cost.switches() / (double) ran.requests());
        ran.series().steadiness().ifPresent(share -> ours.put(Quantity.STEADINESS, share));
        if (stage instanceof KohStage.MixRun) {
            ours.put(Quantity.LATE, (double) ran.late());
        }
        Map<Quantity, Double> ofRules = new EnumMap<>(Quantity.class);
        if (ran.bytes() > 0) {
            volumes.ifPresent(traffic -> {
                ours.put(Quantity.READ, traffic.readBytes() / (double) ran.bytes());
                ours.put(Quantity.WRITTEN, traffic.writtenBytes() / (double) ran.bytes());
            });
            ours.put(
                    Quantity.NETWORK,
                    (cost.wireBytes(CallerKind.CLIENT, Role.DATANODE)
                                    + cost.wireBytes(CallerKind.DATANODE, Role.DATANODE))
                            / (double) ran.bytes());
            for (Quantity quantity : new Quantity[] {Quantity.READ, Quantity.WRITTEN, Quantity.NETWORK}) {
                ofRules.put(quantity, rules.perByte(quantity));
            }
        }
        return new Outcome(stage, repetition, ours, ofRules, params(stage, repetition, measured, volumes));
    }

    private static Map<String, Object> params(
            KohStage stage, int repetition, Measured<Ran> measured, Optional<VolumeTraffic> volumes) {
        Ran ran = measured.result();
        Map<String, Object> params = new LinkedHashMap<>(what(stage));
        params.put("rep", repetition);
        params.putAll(ran.latencies().params());
        params.put("request_seconds", ran.seconds());
        params.put("requests_per_s", ran.requests() / ran.seconds());
        volumes.ifPresent(traffic -> {
            params.put("volume_reads", traffic.reads());
            params.put("volume_read_bytes", traffic.readBytes());
            params.put("volume_writes", traffic.writes());
            params.put("volume_written_bytes", traffic.writtenBytes());
            params.put("volume_syncs", traffic.syncs());
        });
        params.put("uncompared", ran.uncompared());
        params.put(HtmlPage.RATE_OVER_TIME, ran.series().points());
        params.putAll(measured.params(ran.bytes(), ran.requests()));
        return params;
    }

    /** Parameters that name a stage. */
    static Map<String, Object> what(KohStage stage) {
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("policy", stage.policy().name());
        if (stage instanceof KohStage.Requests requests) {
            what.put("pattern", requests.series().pattern().word());
            what.put("op", requests.series().kind().word());
            what.put("size", requests.bytes());
            what.put("depth", requests.depth());
            what.put("state", requests.state().word());
            requests.kernel().ifPresent(kernel -> what.put("kernel", kernel));
        } else if (stage instanceof KohStage.MixRun run) {
            what.put("mix", run.mix().word());
            what.put("procs", run.processes());
        }
        return what;
    }
}
