package io.ecfs.client;

import io.ecfs.code.Kernels;
import io.ecfs.layout.Policy;

/** A client on a cluster in memory, for tests of other packages. */
public final class Clusters implements AutoCloseable {
    private final MemoryCluster cluster;
    private final EcfsClient client;

    public Clusters(int datanodes, Policy defaultPolicy) {
        cluster = new MemoryCluster(datanodes);
        cluster.setDefaultPolicy(defaultPolicy);
        client = new EcfsClient(cluster.uri(), ClusterTest.config(), cluster.environment, cluster, Kernels.java());
    }

    public EcfsClient client() {
        return client;
    }

    public long onLoan() {
        return client.loanedBuffers() + client.reservedBytes() + cluster.loans();
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
    }
}
