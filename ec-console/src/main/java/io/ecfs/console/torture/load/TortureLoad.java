package io.ecfs.console.torture.load;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.console.torture.history.CallJournal;
import io.ecfs.env.Clock;
import io.ecfs.env.real.RealEnvironment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/** One client with its threads, until the plan's end. */
public final class TortureLoad {
    private TortureLoad() {}

    /**
     * Returns when every thread has made its last call. What is still open then is left to the namenode's recovery.
     *
     * @param stopped asked before each call: true ends the threads before the plan's end
     * @throws IOException when the journal cannot be written, or the cluster's address is wrong
     */
    public static void run(LoadPlan plan, BooleanSupplier stopped) throws IOException, InterruptedException {
        Clock clock = RealEnvironment.open().clock();
        ExecutorService threads = Executors.newFixedThreadPool(plan.threads());
        try (EcfsClient client =
                        EcfsClient.connect(ClusterUri.parse(plan.uri()), plan.client(), Identity.ofThisProcess());
                CallJournal journal = CallJournal.create(clock, plan.journal())) {
            List<Callable<Void>> work = new ArrayList<>();
            for (int thread = 0; thread < plan.threads(); thread++) {
                int process = plan.firstProcess() + thread;
                work.add(() -> {
                    new ClientThread(plan, client, journal, clock, process).run(stopped);
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException("a client's thread broke", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
