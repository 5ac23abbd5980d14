package io.ecfs.torture;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.Environment;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.torture.load.LoadPlan;
import io.ecfs.torture.load.TortureLoad;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Clients in this process, whose messages {@link Links} may lose. Killing one closes its client under its threads. */
final class ClientThreads extends Clients {
    private static final int MOST_WAITING = 64;

    private final Environment environment;
    private final Links links;
    private final GaloisKernel kernel = Kernels.best();
    private final Workers lives;
    private final Map<String, Life> running = new TreeMap<>();

    private record Life(TortureLoad load, CompletableFuture<Void> ended) {}

    ClientThreads(TorturePlan plan, String uri, Path directory, Environment environment, Links links) {
        super(plan, uri, directory, environment.clock().nanos());
        this.environment = environment;
        this.links = links;
        this.lives = environment.threads().workers("torture-client", TorturePlan.CLIENTS, MOST_WAITING);
    }

    @Override
    void start(String id) throws EcfsException {
        LoadPlan plan = next(id);
        ClientWire wire = ClientWire.open();
        EcfsClient client = new EcfsClient(
                ClusterUri.parse(plan.uri()), plan.client(), environment, links.over(id, wire.caller()), kernel);
        TortureLoad load = new TortureLoad(plan, environment, client);
        CompletableFuture<Void> ended = lives.submit(() -> {
            try (wire) {
                load.run(() -> false);
            }
            return null;
        });
        running.put(id, new Life(load, ended));
    }

    @Override
    void kill(String id) throws IOException {
        Life life = running.get(id);
        life.load().abandon();
        Await.result(life.ended());
    }

    @Override
    void awaitEnd() throws IOException {
        for (Life life : running.values()) {
            Await.result(life.ended());
        }
    }

    @Override
    public void close() {
        running.values().forEach(life -> life.load().abandon());
        lives.close();
    }
}
