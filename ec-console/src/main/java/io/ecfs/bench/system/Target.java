package io.ecfs.bench.system;

import io.ecfs.bench.meter.Daemon;
import io.ecfs.client.EcfsClient;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import io.ecfs.wire.ThisMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The cluster that is measured. */
public interface Target extends AutoCloseable {
    String uri();

    /** For people: what it is made of. */
    String description();

    /** Present when the bench may stop its datanodes and read its directories. */
    Optional<OwnCluster> own();

    /**
     * A directory for files of the bench's own, on the machine where the cluster takes memory for what it writes.
     *
     * @return empty when no datanode runs on this machine
     */
    default Optional<Path> scratch(List<Daemon> daemons) {
        return daemons.stream()
                        .anyMatch(daemon -> daemon.role() == Daemon.Role.DATANODE && ThisMachine.has(daemon.address()))
                ? Optional.of(Path.of(System.getProperty("java.io.tmpdir")))
                : Optional.empty();
    }

    @Override
    void close();

    /** A cluster that others run. */
    static Target given(String uri) {
        return new Target() {
            @Override
            public String uri() {
                return uri;
            }

            @Override
            public String description() {
                return "cluster " + uri;
            }

            @Override
            public Optional<OwnCluster> own() {
                return Optional.empty();
            }

            @Override
            public void close() {}
        };
    }

    /** The daemons that a cluster says it has. */
    static List<Daemon> daemons(EcfsClient client) throws IOException {
        ClusterReport report = Await.result(client.admin().report());
        List<Daemon> daemons = new ArrayList<>();
        report.namenodes().forEach(n -> daemons.add(new Daemon(n.id(), Daemon.Role.NAMENODE, n.address())));
        report.datanodes().forEach(d -> daemons.add(new Daemon(d.id().name(), Daemon.Role.DATANODE, d.address())));
        return daemons;
    }
}
