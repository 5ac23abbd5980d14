package io.ecfs.client;

import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.Message;
import java.util.function.Predicate;

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

    /** Which later requests are refused as unknown to the peer; it is shown every one. */
    public void refuse(Predicate<Message> refused) {
        cluster.fate(request -> refused.test(request)
                ? new MemoryCluster.Fate.Fails(ErrorCode.UNSUPPORTED)
                : new MemoryCluster.Fate.Answered());
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
