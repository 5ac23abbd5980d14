package io.ecfs.console.bench;

import io.ecfs.client.base.Await;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.Policy;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.LocatedGroup;
import io.ecfs.message.NamespaceReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code read_degraded}: reads one file while datanodes are stopped, those that hold most of its data chunks. They are stopped one
 * after the other, and started again at the end of each repetition; the namenode may or may not have noticed by then, as in life.
 */
final class DegradedRead implements Workload {
    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        OwnCluster cluster = stage.own()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "degraded stops datanodes, which it does to its own cluster only: leave --cluster out"));
        SequentialFiles.warmUp(stage, policy);
        SequentialFiles file = new SequentialFiles(stage, policy, "degraded", 1);
        stage.doing("writing " + file.bytes() + " bytes to read, " + policy);
        file.write();
        file.verify();
        List<LocatedGroup> groups = groups(stage, file);
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                List<String> stopped = new ArrayList<>();
                try {
                    for (int count : stage.plan().stopped(policy)) {
                        while (stopped.size() < count) {
                            String next = busiest(groups, stopped);
                            cluster.stop(next);
                            stopped.add(next);
                        }
                        read(stage, file, groups, stopped, number);
                    }
                } finally {
                    cluster.startAgain(stopped);
                }
            }

            @Override
            public void end() throws Exception {
                file.delete();
            }
        };
    }

    private static void read(
            Stage stage, SequentialFiles file, List<LocatedGroup> groups, List<String> stopped, int number)
            throws Exception {
        stage.doing(
                "read_degraded " + file.policy() + ", " + stopped.size() + " datanodes stopped, repetition " + number);
        Latencies[] latencies = new Latencies[1];
        Measured part = stage.measure(() -> latencies[0] = file.read());
        Map<String, Object> what = Stage.what(file.policy(), number, 1);
        what.put("stopped", stopped.size());
        what.put("lost_data_chunks_per_group", lostDataChunks(groups, stopped));
        stage.throughput("read_degraded", what, part, file.bytes(), latencies[0]);
        file.verify();
    }

    static List<LocatedGroup> groups(Stage stage, SequentialFiles file) throws IOException {
        List<LocatedGroup> groups = new ArrayList<>();
        for (long at = 0; at < file.bytesOfOne(); ) {
            NamespaceReply.Located page = Await.result(stage.client().locate(file.path(0), at, file.bytesOfOne() - at));
            groups.addAll(page.groups());
            List<Extent> extents = page.extents();
            at = extents.get(extents.size() - 1).fileEnd();
        }
        return groups;
    }

    /** The running datanode that holds most data (not parity) chunks; of several the one with the lowest name. */
    static String busiest(List<LocatedGroup> groups, List<String> stopped) {
        Map<String, Integer> chunks = new HashMap<>();
        for (LocatedGroup group : groups) {
            for (ChunkLocation chunk : group.chunks()) {
                String datanode = chunk.datanode().name();
                if (chunk.chunk().index() < group.policy().dataChunks() && !stopped.contains(datanode)) {
                    chunks.merge(datanode, 1, Integer::sum);
                }
            }
        }
        return chunks.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue()
                        .thenComparing(
                                Map.Entry.<String, Integer>comparingByKey().reversed()))
                .map(Map.Entry::getKey)
                .orElseGet(() -> anyHolder(groups, stopped));
    }

    /** Replicas beyond the first are parity: when no data chunk is left to lose, they are. */
    private static String anyHolder(List<LocatedGroup> groups, List<String> stopped) {
        return groups.stream()
                .flatMap(group -> group.chunks().stream())
                .map(chunk -> chunk.datanode().name())
                .filter(datanode -> !stopped.contains(datanode))
                .sorted()
                .findFirst()
                .orElseThrow();
    }

    private static double lostDataChunks(List<LocatedGroup> groups, List<String> stopped) {
        long lost = groups.stream()
                .flatMap(group -> group.chunks().stream()
                        .filter(chunk -> chunk.chunk().index() < group.policy().dataChunks()))
                .filter(chunk -> stopped.contains(chunk.datanode().name()))
                .count();
        return lost / (double) groups.size();
    }
}
