package io.ecfs.datanode.server;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.scrub.ScrubCounts;
import io.ecfs.datanode.scrub.Scrubber;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.ring.StagedCounts;
import io.ecfs.datanode.store.ring.VolumeRole;
import io.ecfs.env.real.Metric;
import io.ecfs.env.real.StatusServer.Health;
import io.ecfs.message.Metering;
import io.ecfs.message.VolumeState;
import io.ecfs.message.ring.ReadTimes;
import io.ecfs.wire.server.WireServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Metrics and health of a datanode for monitoring. Reads counters of the other components; touches no disk. */
record DatanodeStatus(
        DatanodeConfig config,
        Volumes volumes,
        WireServer server,
        BufferPool readBuffers,
        Repairer repairer,
        RelayService relays,
        Scrubber scrubber) {
    private static final double NANOS = 1e9;
    private static final List<VolumeState> STATES =
            List.of(VolumeState.HEALTHY, VolumeState.FULL, VolumeState.READ_ONLY, VolumeState.FAILED);
    private static final Map<VolumeState, String> FORMER_STATES = Map.of(
            VolumeState.FAILED, "ecfs_volume_failed",
            VolumeState.READ_ONLY, "ecfs_volume_read_only",
            VolumeState.FULL, "ecfs_volume_full");

    Health health() {
        List<String> failed = in(VolumeState.FAILED);
        List<String> readOnly = in(VolumeState.READ_ONLY);
        int wanted = config.volumes().size();
        int working = volumes.all().size() - failed.size() - readOnly.size();
        String text = "datanode " + config.id() + ": " + working + " of " + wanted + " volumes work";
        return new Health(
                working == wanted,
                text
                        + (failed.isEmpty() ? "" : ", failed " + failed)
                        + (readOnly.isEmpty() ? "" : ", read-only " + readOnly));
    }

    private List<String> in(VolumeState state) {
        return volumes.all().stream()
                .map(ServedVolume::volume)
                .filter(volume -> volume.state() == state)
                .map(Volume::path)
                .toList();
    }

    List<Metric> metrics() {
        List<Metric> all = new ArrayList<>();
        volumes(all);
        staged(all);
        scrub(all);
        memory(all);
        rebuilds(all);
        relays(all);
        traffic(all);
        return all;
    }

    private void volumes(List<Metric> all) {
        gauge(all, "ecfs_volume_chunks", "Chunks on a volume", s -> s.volume().chunkCount());
        gauge(
                all,
                "ecfs_volume_chunk_bytes",
                "Bytes of chunks without their checksums",
                s -> s.volume().chunkBytes());
        gauge(
                all,
                "ecfs_volume_free_bytes",
                "Free space as last measured",
                s -> s.volume().space().freeBytes());
        gauge(
                all,
                "ecfs_volume_capacity_bytes",
                "Size of the volume",
                s -> s.volume().space().capacityBytes());
        for (ServedVolume served : volumes.all()) {
            for (VolumeState state : STATES) {
                all.add(state(served, state));
            }
        }
        gauge(
                all,
                "ecfs_volume_queued_requests",
                "Requests that wait or run",
                s -> s.queue().queued());
        counter(
                all,
                "ecfs_volume_batches_total",
                "Batches of tasks of readers that began",
                s -> s.queue().times().batches());
        counter(
                all,
                "ecfs_volume_wait_seconds_total",
                "Time that these batches waited in the queue",
                s -> s.queue().times().waitedNanos() / NANOS);
        counter(
                all,
                "ecfs_volume_served_batches_total",
                "Batches whose first task is done",
                s -> s.queue().times().served());
        counter(
                all,
                "ecfs_volume_service_seconds_total",
                "Time that these first tasks took on the disk",
                s -> s.queue().times().servedNanos() / NANOS);
    }

    private void staged(List<Metric> all) {
        for (ServedVolume served : volumes.all()) {
            if (served.staged().isEmpty()) {
                continue;
            }
            Map<String, String> labels = labels(served);
            StagedCounts counts = served.staged().get().io().counts();
            for (VolumeRole role : VolumeRole.values()) {
                all.add(Metric.gauge(
                        "ecfs_volume_ring_role",
                        "1 for the role that the volume has in its ring",
                        Metric.with(labels, "role", role.name().toLowerCase(Locale.ROOT)),
                        counts.role() == role ? 1 : 0));
            }
            all.add(Metric.gauge(
                    "ecfs_volume_staged_bytes",
                    "Bytes that the device does not have yet",
                    labels,
                    counts.stagedBytes()));
            all.add(Metric.gauge(
                    "ecfs_volume_journal_bytes", "Size of the volume's journal", labels, counts.journalBytes()));
            all.add(Metric.counter(
                    "ecfs_volume_drained_bytes_total", "Bytes drained to the device", labels, counts.drainedBytes()));
            all.add(Metric.gauge(
                    "ecfs_volume_drain_bytes_per_second",
                    "Bytes a second that the device takes while it writes",
                    labels,
                    counts.deviceRate()));
            all.add(Metric.counter(
                    "ecfs_volume_late_switches_total",
                    "Times that the device was not at rest when it should have begun to read",
                    labels,
                    counts.lateSwitches()));
            all.add(Metric.counter(
                    "ecfs_volume_staged_files_lost_total",
                    "Files that are missing because their journal was damaged",
                    labels,
                    counts.lostFiles()));
            for (boolean writing : new boolean[] {false, true}) {
                readTimes(served.staged().get().readTimes(writing), writing ? "writing" : "reading", labels, all);
            }
            counts.spills()
                    .forEach((reason, n) -> all.add(Metric.counter(
                            "ecfs_volume_spills_total",
                            "Writes to the device while the volume only read, by reason",
                            Metric.with(labels, "reason", reason.name().toLowerCase(Locale.ROOT)),
                            n)));
        }
    }

    private static void readTimes(ReadTimes times, String role, Map<String, String> labels, List<Metric> all) {
        if (times.known()) {
            Map<String, String> ofRole = Metric.with(labels, "role", role);
            String help = "Seconds within which %s of recent chunk reads were answered, by what the volume did";
            all.add(Metric.gauge(
                    "ecfs_volume_read_p50_seconds", help.formatted("half"), ofRole, times.p50Micros() / 1e6));
            all.add(Metric.gauge(
                    "ecfs_volume_read_p99_seconds", help.formatted("99 of 100"), ofRole, times.p99Micros() / 1e6));
        }
    }

    private static Metric state(ServedVolume served, VolumeState state) {
        Map<String, String> labels = labels(served);
        double value = served.volume().state() == state ? 1 : 0;
        Metric metric = Metric.gauge(
                "ecfs_volume_state",
                "1 for the state that the volume is in",
                Metric.with(labels, "state", state.name().toLowerCase(Locale.ROOT)),
                value);
        String old = FORMER_STATES.get(state);
        return old == null ? metric : metric.formerly(old, labels, value);
    }

    private void scrub(List<Metric> all) {
        Map<String, ScrubCounts> counts = scrubber.counts();
        for (ServedVolume served : volumes.all()) {
            Map<String, String> labels = labels(served);
            ScrubCounts its = counts.getOrDefault(served.volume().uuid(), ScrubCounts.NONE);
            all.add(Metric.counter(
                            "ecfs_volume_scrubbed_bytes_total",
                            "Bytes compared with their checksums by the scrubber",
                            labels,
                            its.bytes())
                    .formerly("ecfs_volume_scrubbed_bytes"));
            all.add(Metric.counter(
                            "ecfs_volume_scrub_rounds_total",
                            "Times that the scrubber went over the volume",
                            labels,
                            its.rounds())
                    .formerly("ecfs_volume_scrub_rounds"));
            all.add(Metric.counter(
                            "ecfs_volume_scrub_corrupt_chunks_total",
                            "Chunks that the scrubber found corrupt",
                            labels,
                            its.corrupt())
                    .formerly("ecfs_volume_scrub_corrupt_chunks"));
        }
    }

    private void memory(List<Metric> all) {
        all.add(own("ecfs_datanode_connections", "Open connections", server.connections()));
        all.add(own("ecfs_datanode_request_bytes", "Request bytes in use", server.requestBytes()));
        all.add(own("ecfs_datanode_answer_bytes", "Answer bytes in use or reserved", server.answerBytes()));
        all.add(own("ecfs_datanode_read_buffer_bytes", "Bytes lent to reads", readBuffers.loanedBytes()));
    }

    private void rebuilds(List<Metric> all) {
        Repairer.Totals repairs = repairer.totals();
        all.add(own("ecfs_datanode_rebuilds_running", "Chunks being rebuilt here", repairs.running()));
        all.add(total("ecfs_datanode_chunks_rebuilt_total", "Chunks rebuilt here", repairs.rebuilt())
                .formerly("ecfs_datanode_chunks_rebuilt"));
        all.add(total(
                        "ecfs_datanode_chunks_rebuilt_unchecked_total",
                        "Chunks rebuilt here that nothing but their sources speaks for",
                        repairs.unchecked())
                .formerly("ecfs_datanode_chunks_rebuilt_unchecked"));
        all.add(total(
                        "ecfs_datanode_rebuilds_failed_total",
                        "Attempts to rebuild a chunk here that failed",
                        repairs.failed())
                .formerly("ecfs_datanode_rebuilds_failed"));
        all.add(total(
                        "ecfs_datanode_rebuild_read_bytes_total",
                        "Bytes of sources read to rebuild and fill chunks here",
                        repairs.bytesRead())
                .formerly("ecfs_datanode_rebuild_read_bytes"));
        all.add(total(
                        "ecfs_datanode_rebuild_written_bytes_total",
                        "Bytes of chunks rebuilt here",
                        repairs.bytesRepaired())
                .formerly("ecfs_datanode_rebuild_written_bytes"));
    }

    private void relays(List<Metric> all) {
        RelayService.Totals totals = relays.totals();
        all.add(own(
                "ecfs_datanode_relays", "Groups whose stripes are encoded here for their writers", totals.relays()));
        all.add(own("ecfs_datanode_relay_bytes", "Memory of their stripes under way", totals.bytes()));
        all.add(own(
                "ecfs_datanode_relay_peak_bytes",
                "Most memory of such stripes at one time since the start",
                totals.mostBytes()));
        all.add(total("ecfs_datanode_relay_cells_total", "Cells that writers had relayed", totals.cells()));
        all.add(total(
                "ecfs_datanode_relay_refusals_total",
                "Cells and relays refused for want of memory or number",
                totals.refused()));
    }

    private void traffic(List<Metric> all) {
        for (Metering.Flow flow : server.flows()) {
            Map<String, String> labels = Map.of("caller", flow.caller().name().toLowerCase(Locale.ROOT));
            all.add(Metric.counter(
                    "ecfs_datanode_requests_total", "Requests, by kind of caller", labels, flow.requests()));
            all.add(Metric.counter(
                    "ecfs_datanode_request_seconds_total",
                    "Time from requests to answers, by kind of caller",
                    labels,
                    flow.handledNanos() / NANOS));
            all.add(Metric.counter(
                            "ecfs_datanode_received_bytes_total",
                            "Bytes of requests, by kind of caller",
                            labels,
                            flow.receivedBytes())
                    .formerly("ecfs_datanode_received_bytes"));
            all.add(Metric.counter(
                            "ecfs_datanode_sent_bytes_total",
                            "Bytes of answers, by kind of caller",
                            labels,
                            flow.sentBytes())
                    .formerly("ecfs_datanode_sent_bytes"));
        }
    }

    private void gauge(List<Metric> all, String name, String help, ToDoubleFunction<ServedVolume> value) {
        volumes.all().forEach(one -> all.add(Metric.gauge(name, help, labels(one), value.applyAsDouble(one))));
    }

    private void counter(List<Metric> all, String name, String help, ToDoubleFunction<ServedVolume> value) {
        volumes.all().forEach(one -> all.add(Metric.counter(name, help, labels(one), value.applyAsDouble(one))));
    }

    private static Map<String, String> labels(ServedVolume served) {
        return Map.of("volume", served.volume().uuid(), "path", served.volume().path());
    }

    private static Metric own(String name, String help, long value) {
        return Metric.gauge(name, help, Map.of(), value);
    }

    private static Metric total(String name, String help, long value) {
        return Metric.counter(name, help, Map.of(), value);
    }
}
