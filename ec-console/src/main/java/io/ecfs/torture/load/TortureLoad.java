package io.ecfs.torture.load;

import io.ecfs.client.EcfsClient;
import io.ecfs.env.Environment;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.torture.history.CallJournal;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** One client with its threads, until the plan's end. */
public final class TortureLoad {
    private final LoadPlan plan;
    private final Environment environment;
    private final EcfsClient client;
    private volatile boolean over;

    /** @param client is closed when its threads have ended */
    public TortureLoad(LoadPlan plan, Environment environment, EcfsClient client) {
        this.plan = plan;
        this.environment = environment;
        this.client = client;
    }

    /**
     * Returns when every thread has made its last call. What is still open then is left to the namenode's recovery.
     *
     * @param stopped asked before each call: true ends the threads before the plan's end
     * @throws IOException when the journal cannot be written, or the client has lost buffers
     */
    public void run(BooleanSupplier stopped) throws IOException {
        try (CallJournal journal = CallJournal.create(environment.clock(), plan.journal())) {
            run(journal, () -> over || stopped.getAsBoolean());
        } finally {
            closeClient();
        }
        if (client.loanedBuffers() > 0 || client.reservedBytes() > 0) {
            throw new EcfsException(
                    ErrorCode.INTERNAL,
                    "a closed client still has " + client.loanedBuffers() + " buffers and " + client.reservedBytes()
                            + " reserved bytes");
        }
    }

    private void run(CallJournal journal, BooleanSupplier stopped) throws IOException {
        List<CompletableFuture<Void>> ended = new ArrayList<>();
        try (Workers threads = environment.threads().workers("torture", plan.threads(), plan.threads())) {
            for (int thread = 0; thread < plan.threads(); thread++) {
                int process = plan.firstProcess() + thread;
                ended.add(threads.submit(() -> {
                    new ClientThread(plan, client, journal, environment.clock(), process).run(stopped);
                    return null;
                }));
            }
            for (CompletableFuture<Void> end : ended) {
                Await.result(end);
            }
        } finally {
            over = true;
        }
    }

    /** Closes the client under its threads, which end with their calls' outcomes unknown. Any thread. */
    public void abandon() {
        over = true;
        closeClient();
    }

    /** Returns when the client is closed, by this thread or another: until then it has buffers. */
    private synchronized void closeClient() {
        client.close();
    }
}
