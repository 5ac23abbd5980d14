package io.ecfs.fault.inject;

import io.ecfs.console.local.ClusterPlan;
import io.ecfs.message.Address;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Links of one datanode: a proxy before it, for clients and other daemons, and one before each namenode for its own
 * calls. What it asks of other datanodes, as a target of repairs, passes their proxies and is not cut by its own.
 */
public final class DatanodeLinks implements Closeable {
    private final String datanode;
    private final FaultProxy before;
    private final List<FaultProxy> toNamenodes = new ArrayList<>();

    /** @throws IOException when no port is free */
    public DatanodeLinks(ClusterPlan.DatanodePlan datanode, List<Address> namenodes) throws IOException {
        this.datanode = datanode.id();
        this.before = new FaultProxy(datanode.address());
        for (Address namenode : namenodes) {
            toNamenodes.add(new FaultProxy(namenode));
        }
    }

    /** Settings with which the datanode is behind the proxies. */
    public List<String> overrides() {
        return List.of(
                datanode + ".advertised=" + before.address(),
                datanode + ".namenodes="
                        + toNamenodes.stream()
                                .map(proxy -> proxy.address().toString())
                                .collect(Collectors.joining(",")));
    }

    /** Cuts what it receives, what it sends, or both. */
    void cut(boolean received, boolean sent) {
        set(state(received), state(sent));
    }

    /** @param loss share of segments that are sent again */
    void slow(Duration delay, double loss) {
        FaultProxy.LinkState state = new FaultProxy.LinkState(false, delay, loss);
        set(state, state);
    }

    void heal() {
        set(FaultProxy.LinkState.GOOD, FaultProxy.LinkState.GOOD);
    }

    private void set(FaultProxy.LinkState received, FaultProxy.LinkState sent) {
        before.set(received, sent);
        toNamenodes.forEach(proxy -> proxy.set(sent, received));
    }

    private static FaultProxy.LinkState state(boolean cut) {
        return cut ? FaultProxy.LinkState.CUT : FaultProxy.LinkState.GOOD;
    }

    @Override
    public void close() throws IOException {
        before.close();
        for (FaultProxy proxy : toNamenodes) {
            proxy.close();
        }
    }
}
