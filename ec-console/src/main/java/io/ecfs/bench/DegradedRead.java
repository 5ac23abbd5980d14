package io.ecfs.bench;

import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code read_degraded}: reads one file while datanodes are stopped, those that hold most of its data chunks. They are
 * stopped one after the other, and started again at the end of each repetition; the namenode may or may not have
 * noticed by then, as in life.
 */
final class DegradedRead implements Workload {
    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        OwnCluster cluster = stage.ownFor(WorkloadKind.DEGRADED);
        SequentialFiles file = SequentialFiles.written(stage, policy, "degraded", 1);
        ChunkHolders holders = ChunkHolders.of(file);
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                List<String> stopped = new ArrayList<>();
                try {
                    for (int count : stage.plan().stopped(policy)) {
                        while (stopped.size() < count) {
                            String next = holders.busiest(stopped);
                            cluster.stop(next);
                            stopped.add(next);
                        }
                        read(stage, file, holders, stopped, number);
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

    private static void read(Stage stage, SequentialFiles file, ChunkHolders holders, List<String> stopped, int number)
            throws Exception {
        stage.doing(
                "read_degraded " + file.policy() + ", " + stopped.size() + " datanodes stopped, repetition " + number);
        Measured<Latencies> part = stage.measure(file::read);
        Map<String, Object> what = Stage.what(file.policy(), number, 1);
        what.put("stopped", stopped.size());
        what.put("lost_data_chunks_per_group", holders.dataChunksOn(stopped));
        stage.throughput("read_degraded", what, part, file.bytes());
        file.verify();
    }
}
