package io.ecfs.console.command.torture;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.torture.load.LoadPlan;
import io.ecfs.torture.load.TortureLoad;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The process of one client of {@code ecfs torture}, which starts it. */
@Command(name = "torture-client", description = "One client of 'ecfs torture', which starts it.", hidden = true)
public final class TortureClientCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PLAN", description = "What it does, as 'ecfs torture' wrote it.")
    private Path plan;

    @Override
    public Integer call() throws Exception {
        LoadPlan load = LoadPlan.read(plan);
        EcfsClient client = EcfsClient.connect(ClusterUri.parse(load.uri()), load.client(), Identity.ofThisProcess());
        new TortureLoad(load, RealEnvironment.open(), client).run(() -> false);
        return 0;
    }
}
