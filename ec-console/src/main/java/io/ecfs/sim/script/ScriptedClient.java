package io.ecfs.sim.script;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.message.Address;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.wire.Session;
import java.util.List;
import java.util.SplittableRandom;

/** A process with a client of the cluster, on a host of its own. */
record ScriptedClient(SimProcess process, EcfsClient client) {
    static ScriptedClient start(
            World world, String host, List<Address> namenodes, ClientConfig config, SplittableRandom random) {
        SimProcess process = new SimProcess(host, world.time(), random);
        Session session = new Session(new Address(host, 0), "user", List.of("users"), "client", "", false);
        return new ScriptedClient(
                process,
                new EcfsClient(
                        new ClusterUri(namenodes),
                        config,
                        process.environment(),
                        world.network().caller(process, session),
                        Kernels.java()));
    }
}
