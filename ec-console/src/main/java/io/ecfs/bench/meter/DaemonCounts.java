package io.ecfs.bench.meter;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Greeting;
import io.ecfs.message.Metering;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.tls.ClientTls;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Asks daemons for their counts, over connections of its own so that a client's are not disturbed. */
final class DaemonCounts implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final WireLoops loops = WireLoops.open("bench-meter", 1);
    private final WireClient wire;

    /** @param tls of the cluster; empty: plain */
    DaemonCounts(Optional<ClientTls> tls) throws EcfsException {
        Greeting.Hello hello =
                new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", System.getProperty("user.name"), List.of(), "meter");
        wire = new WireClient(loops, WireOptions.defaults(), tls, () -> hello);
    }

    /** Counts of those that answer. */
    Map<Daemon, Metering.Counts> read(List<Daemon> daemons) {
        Map<Daemon, CompletableFuture<Metering.Counts>> asked = new LinkedHashMap<>();
        for (Daemon daemon : daemons) {
            asked.put(
                    daemon,
                    wire.call(daemon.address(), new Metering.ReadCounts(), PATIENCE)
                            .thenApply(answer -> (Metering.Counts) answer.head())
                            .exceptionally(silent -> null));
        }
        Map<Daemon, Metering.Counts> answered = new LinkedHashMap<>();
        asked.forEach((daemon, answer) -> {
            Metering.Counts counts = answer.join();
            if (counts != null) {
                answered.put(daemon, counts);
            }
        });
        return answered;
    }

    @Override
    public void close() {
        wire.close();
        loops.close();
    }
}
