package io.ecfs.datanode.server;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.scrub.ScrubCounts;
import io.ecfs.datanode.scrub.Scrubber;
import io.ecfs.datanode.store.Volume;
import io.ecfs.env.real.StatusServer.Gauge;
import io.ecfs.env.real.StatusServer.Health;
import io.ecfs.message.Metering;
import io.ecfs.message.VolumeState;
import io.ecfs.wire.server.WireServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Metrics and health of a datanode for monitoring. Reads counters of the other components; touches no disk. */
record DatanodeStatus(
        DatanodeConfig config,
        Volumes volumes,
        WireServer server,
        BufferPool readBuffers,
        Repairer repairer,
        Scrubber scrubber) {

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

    List<Gauge> gauges() {
        List<Gauge> all = new ArrayList<>();
        volume(all, "ecfs_volume_chunks", "Chunks on a volume", Volume::chunkCount);
        volume(all, "ecfs_volume_chunk_bytes", "Bytes of chunks without their checksums", Volume::chunkBytes);
        volume(
                all,
                "ecfs_volume_free_bytes",
                "Free space as last measured",
                v -> v.space().freeBytes());
        volume(
                all,
                "ecfs_volume_capacity_bytes",
                "Size of the volume",
                v -> v.space().capacityBytes());
        volume(
                all,
                "ecfs_volume_failed",
                "1 when an I/O failed and the volume is out",
                v -> v.state() == VolumeState.FAILED ? 1 : 0);
        volume(
                all,
                "ecfs_volume_read_only",
                "1 when the disk takes no change any more: reads are served, its chunks move",
                v -> v.state() == VolumeState.READ_ONLY ? 1 : 0);
        volume(
                all,
                "ecfs_volume_full",
                "1 when no new chunk is taken for want of room",
                v -> v.state() == VolumeState.FULL ? 1 : 0);
        served(
                all,
                "ecfs_volume_queued_requests",
                "Requests that wait or run",
                s -> s.queue().queued());
        scrub(
                all,
                "ecfs_volume_scrubbed_bytes",
                "Bytes compared with their checksums by the scrubber",
                ScrubCounts::bytes);
        scrub(all, "ecfs_volume_scrub_rounds", "Times that the scrubber went over the volume", ScrubCounts::rounds);
        scrub(all, "ecfs_volume_scrub_corrupt_chunks", "Chunks that the scrubber found corrupt", ScrubCounts::corrupt);
        all.add(own("ecfs_datanode_connections", "Open connections", server.connections()));
        all.add(own("ecfs_datanode_request_bytes", "Request bytes in use", server.requestBytes()));
        all.add(own("ecfs_datanode_answer_bytes", "Answer bytes in use or reserved", server.answerBytes()));
        all.add(own("ecfs_datanode_read_buffer_bytes", "Bytes lent to reads", readBuffers.loanedBytes()));
        Repairer.Totals repairs = repairer.totals();
        all.add(own("ecfs_datanode_rebuilds_running", "Chunks being rebuilt here", repairs.running()));
        all.add(own("ecfs_datanode_chunks_rebuilt", "Chunks rebuilt here", repairs.rebuilt()));
        all.add(own(
                "ecfs_datanode_chunks_rebuilt_unchecked",
                "Chunks rebuilt here that nothing but their sources speaks for",
                repairs.unchecked()));
        all.add(own("ecfs_datanode_rebuilds_failed", "Attempts to rebuild a chunk here that failed", repairs.failed()));
        all.add(own(
                "ecfs_datanode_rebuild_read_bytes",
                "Bytes of sources read to rebuild and fill chunks here",
                repairs.bytesRead()));
        all.add(own("ecfs_datanode_rebuild_written_bytes", "Bytes of chunks rebuilt here", repairs.bytesRepaired()));
        traffic(
                all,
                "ecfs_datanode_received_bytes",
                "Bytes of requests, by kind of caller",
                Metering.Flow::receivedBytes);
        traffic(all, "ecfs_datanode_sent_bytes", "Bytes of answers, by kind of caller", Metering.Flow::sentBytes);
        return all;
    }

    private void volume(List<Gauge> all, String name, String help, ToLongFunction<Volume> value) {
        served(all, name, help, one -> value.applyAsLong(one.volume()));
    }

    private void scrub(List<Gauge> all, String name, String help, ToLongFunction<ScrubCounts> value) {
        Map<String, ScrubCounts> counts = scrubber.counts();
        volume(all, name, help, v -> value.applyAsLong(counts.getOrDefault(v.uuid(), ScrubCounts.NONE)));
    }

    private void served(List<Gauge> all, String name, String help, ToLongFunction<ServedVolume> value) {
        for (ServedVolume one : volumes.all()) {
            Map<String, String> labels =
                    Map.of("volume", one.volume().uuid(), "path", one.volume().path());
            all.add(new Gauge(name, help, labels, value.applyAsLong(one)));
        }
    }

    private void traffic(List<Gauge> all, String name, String help, ToLongFunction<Metering.Flow> value) {
        for (Metering.Flow flow : server.flows()) {
            String caller = flow.caller().name().toLowerCase(Locale.ROOT);
            all.add(new Gauge(name, help, Map.of("caller", caller), value.applyAsLong(flow)));
        }
    }

    private static Gauge own(String name, String help, long value) {
        return new Gauge(name, help, Map.of(), value);
    }
}
