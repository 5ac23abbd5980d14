package io.ecfs.bench;

import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.health.Hedging;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.wire.Caller;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code slow}: random reads while the datanode that holds most data chunks of the file answers late, and while none
 * does; each with hedging off, adaptive, and with late binding. The network of the reading client makes the answers
 * late, so it can be measured on any cluster. Each part has a client of its own, which learns what it can in the
 * warm-up.
 */
final class SlowDatanode implements Workload {
    private enum Manner {
        OFF("off", false, 0),
        ADAPTIVE("adaptive", true, 0),
        LATE_BINDING("delta1", true, 1);

        private final String word;
        private final boolean adaptive;
        private final int delta;

        Manner(String word, boolean adaptive, int delta) {
            this.word = word;
            this.adaptive = adaptive;
            this.delta = delta;
        }
    }

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        SequentialFiles file = SequentialFiles.written(stage, policy, "slow", 1);
        ChunkHolders holders = ChunkHolders.of(file);
        Address slow = holders.address(holders.busiest(List.of()));
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                List<Integer> sizes = stage.plan().preadBytes();
                for (int length : List.of(Collections.min(sizes), Collections.max(sizes)).stream()
                        .distinct()
                        .toList()) {
                    for (int threads : stage.plan().threads(8)) {
                        for (Manner manner : Manner.values()) {
                            read(stage, file, manner, Optional.empty(), length, threads, number);
                            read(stage, file, manner, Optional.of(slow), length, threads, number);
                        }
                    }
                }
            }

            @Override
            public void end() throws Exception {
                file.delete();
            }
        };
    }

    private static void read(
            Stage stage,
            SequentialFiles file,
            Manner manner,
            Optional<Address> slow,
            int length,
            int threads,
            int number)
            throws Exception {
        int late = slow.isPresent() ? stage.plan().lateMillis() : 0;
        stage.doing("pread of " + length + " bytes, " + file.policy() + ", " + threads + " threads, one datanode "
                + late + " ms late, hedging " + manner.word + ", repetition " + number);
        ClientConfig config =
                stage.config().with("local.on=off", "hedge.adaptive=" + manner.adaptive, "hedge.delta=" + manner.delta);
        try (Remote remote = Remote.connect(stage.uri(), config, slow, Duration.ofMillis(late))) {
            RandomReads reads = new RandomReads(stage, remote.client, file, length, threads);
            reads.warmUp();
            Hedging.Counts before = remote.client.readCounts();
            Measured<Latencies> part = stage.measure(() -> reads.read(number));
            Hedging.Counts after = remote.client.readCounts();
            double operations = Math.max(1, part.result().count());
            Map<String, Object> what = reads.what(number);
            what.put("late_ms", late);
            what.put("hedge", manner.word);
            what.put("chunk_reads_per_op", (after.asked() - before.asked()) / operations);
            what.put("hedged_per_op", (after.hedged() - before.hedged()) / operations);
            what.put("trials", after.trials() - before.trials());
            reads.rate("pread_slow", what, part);
        }
    }

    /** A client whose network may have a slow end. */
    private record Remote(EcfsClient client, Caller network, WireLoops loops) implements AutoCloseable {
        static Remote connect(String uri, ClientConfig config, Optional<Address> slow, Duration delay)
                throws IOException {
            Environment environment = RealEnvironment.open();
            Identity identity = Identity.ofThisProcess();
            Greeting.Hello hello =
                    new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", identity.user(), identity.groups(), "client");
            WireLoops loops = WireLoops.open("bench-client-io", config.networkThreads());
            WireClient wire = new WireClient(loops, WireOptions.defaults(), () -> hello);
            Caller network = slow.<Caller>map(address -> new LateAnswers(
                            wire, address, delay, environment.threads().scheduler("late-answers")))
                    .orElse(wire);
            return new Remote(
                    new EcfsClient(ClusterUri.resolve(uri), config, environment, network, Kernels.best()),
                    network,
                    loops);
        }

        @Override
        public void close() {
            client.close();
            network.close();
            loops.close();
        }
    }
}
