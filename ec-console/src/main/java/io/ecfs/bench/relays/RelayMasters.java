package io.ecfs.bench.relays;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.WireLoops;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Starts datanodes, those that are the master of a case with its bounds. Safe for use by several threads. */
final class RelayMasters implements DaemonStart {
    private final RelayPlan plan;

    @GuardedBy("this")
    private final Map<RelayCase, DatanodeDaemon> daemons = new EnumMap<>(RelayCase.class);

    @GuardedBy("this")
    private final Map<RelayCase, RelaySettings> bounds = new EnumMap<>(RelayCase.class);

    RelayMasters(RelayPlan plan) {
        this.plan = plan;
    }

    @Override
    public DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException {
        Optional<RelayCase> of = Stream.of(RelayCase.values())
                .filter(one -> one.master().equals(config.id().name()))
                .findFirst();
        if (of.isEmpty()) {
            return DatanodeDaemon.start(config, loops, kernel, environment);
        }
        DatanodeConfig changed = ConfigReader.with(config, of.get().changes(plan));
        DatanodeDaemon daemon = DatanodeDaemon.start(changed, loops, kernel, environment);
        synchronized (this) {
            daemons.put(of.get(), daemon);
            bounds.put(of.get(), changed.relay().within(changed.wire().serverRequestBytes()));
        }
        return daemon;
    }

    synchronized RelaySettings bounds(RelayCase of) {
        return bounds.get(of);
    }

    synchronized RelayService.Totals totals(RelayCase of) {
        return daemons.get(of).relays();
    }
}
