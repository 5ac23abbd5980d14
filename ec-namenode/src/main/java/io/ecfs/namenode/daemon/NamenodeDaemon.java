package io.ecfs.namenode.daemon;

import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.env.real.StatusServer;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.message.SnapshotRequest;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.log.ratis.RaftMember;
import io.ecfs.namenode.log.ratis.RatisLog;
import io.ecfs.namenode.log.ratis.SnapshotServer;
import io.ecfs.namenode.log.ratis.WireSnapshotSource;
import io.ecfs.namenode.server.Namenode;
import io.ecfs.namenode.server.NamenodeGauges;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.disk.NamenodeHome;
import io.ecfs.namenode.store.rocks.RocksStore;
import io.ecfs.wire.Parcel;
import io.ecfs.wire.Session;
import io.ecfs.wire.WireClient;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running namenode on a real machine: its directory, RocksDB store, Ratis log, wire server and monitoring around one {@link
 * Namenode}. Starting on an empty directory makes a new member of the configured cluster; the first leader of an empty log gives
 * the cluster its id. Closing stops everything in the opposite order and leaves no thread.
 */
public final class NamenodeDaemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NamenodeDaemon.class);
    private static final int LOOPS = 2;
    private static final int SNAPSHOT_READERS = 2;
    private static final int MAX_WAITING_SNAPSHOT_READS = 64;
    private static final Duration SNAPSHOT_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LOOK_FOR_CLUSTER_ID = Duration.ofMillis(500);

    private static final Duration STATUS_PATIENCE = Duration.ofSeconds(5);

    private final NamenodeConfig config;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private Namenode namenode;
    private SnapshotServer snapshots;
    private Workers snapshotReaders;
    private WireServer server;
    private Optional<StatusServer> status = Optional.empty();

    private NamenodeDaemon(NamenodeConfig config) {
        this.config = config;
    }

    /**
     * Starts and returns once it listens; who leads and whether writes are taken shows later.
     *
     * @param onFailure told once when this namenode cannot go on (its disk failed): whoever started it closes it
     * @throws EcfsException naming the directory, address or setting that is wrong; nothing is left running
     */
    public static NamenodeDaemon start(Environment environment, NamenodeConfig config, Consumer<Throwable> onFailure)
            throws IOException {
        NamenodeDaemon daemon = new NamenodeDaemon(config);
        try {
            daemon.open(environment, onFailure);
            return daemon;
        } catch (IOException | RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    private void open(Environment environment, Consumer<Throwable> onFailure) throws IOException {
        NamenodeHome home = keep(NamenodeHome.open(config.directory(), config.id(), config.cluster()));
        WireLoops loops = keep(WireLoops.open(config.id(), LOOPS));
        WireClient client = keep(new WireClient(loops, config.wire(), this::hello));
        RocksStore store = keep(new RocksStore(config.directory().resolve("state"), config.store()));
        MetadataState state = new MetadataState(store);
        RatisLog log = keep(RatisLog.open(
                raftMember(),
                config.raft(),
                state,
                new RatisLog.Surroundings(
                        environment,
                        this::address,
                        new WireSnapshotSource(client, this::address, SNAPSHOT_TIMEOUT),
                        onFailure)));
        snapshots = log.snapshots();
        snapshotReaders = keep(environment
                .threads()
                .workers(config.id() + "-snapshots", SNAPSHOT_READERS, MAX_WAITING_SNAPSHOT_READS));
        Map<String, Address> addresses = new TreeMap<>();
        config.namenodes().forEach((id, peer) -> addresses.put(id, peer.address()));
        namenode = keep(
                new Namenode(environment, new Namenode.Members(config.id(), addresses), log, state, config.settings()));
        server = keep(WireServer.start(loops, config.wire(), config.listenAddress(), this::welcome, this::handle));
        if (config.status().isPresent()) {
            status = Optional.of(keep(
                    StatusServer.start(config.id() + "-status", config.status().get(), this::health, this::gauges)));
        }
        Scheduler binding = keep(environment.threads().scheduler(config.id() + "-home"));
        bindHome(binding, home, onFailure);
        LOG.info("event=namenode_started namenode={} address={} dir={}", config.id(), address(), config.directory());
    }

    /** Where it serves clients and datanodes. */
    public Address address() {
        return server.address();
    }

    /** Where monitors are answered. */
    public Optional<Address> statusAddress() {
        return status.map(StatusServer::address);
    }

    /** Empty until the cluster is formatted and this namenode knows it. */
    public String clusterId() {
        return namenode.clusterId();
    }

    private RaftMember raftMember() {
        Map<String, Address> peers = new TreeMap<>();
        config.namenodes().forEach((id, peer) -> peers.put(id, peer.raft()));
        UUID group = UUID.nameUUIDFromBytes(("ecfs cluster " + config.cluster()).getBytes(StandardCharsets.UTF_8));
        return new RaftMember(config.id(), group, peers, config.directory().resolve("log"), config.raftTls());
    }

    private Optional<Address> address(String id) {
        return Optional.ofNullable(config.namenodes().get(id)).map(NamenodeConfig.Peer::address);
    }

    /** Once the log has told the cluster's id, the directory is bound to it. */
    private void bindHome(Scheduler scheduler, NamenodeHome home, Consumer<Throwable> onFailure) {
        String clusterId = clusterId();
        if (clusterId.isEmpty()) {
            scheduler.schedule(LOOK_FOR_CLUSTER_ID, () -> bindHome(scheduler, home, onFailure));
            return;
        }
        try {
            home.bindCluster(clusterId);
        } catch (IOException e) {
            LOG.error("event=home_refused namenode={} reason=\"{}\"", config.id(), e.getMessage());
            onFailure.accept(e);
        }
    }

    private Greeting.Hello hello() {
        return new Greeting.Hello(
                Greeting.PROTOCOL_VERSION, "", config.settings().superuser(), List.of(), "namenode " + config.id());
    }

    private Greeting.Welcome welcome() {
        return new Greeting.Welcome(Greeting.PROTOCOL_VERSION, clusterId(), "namenode " + config.id());
    }

    private StatusServer.Health health() {
        try {
            NamenodeGauges now = namenode.gauges().get(STATUS_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            String role = now.leading() ? "leader" : "follower";
            return new StatusServer.Health(
                    true, config.id() + " " + role + " term=" + now.term() + " applied=" + now.appliedIndex());
        } catch (ExecutionException | TimeoutException e) {
            return new StatusServer.Health(false, config.id() + " does not answer: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new StatusServer.Health(false, config.id() + " is stopping");
        }
    }

    private List<StatusServer.Gauge> gauges() {
        try {
            return namenode.gauges()
                    .thenApply(now -> now.named(config.id()))
                    .get(STATUS_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("event=gauges_missing namenode={} reason=\"{}\"", config.id(), e.toString());
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private CompletionStage<Parcel> handle(Session session, Parcel request) {
        request.release();
        if (request.head() instanceof SnapshotRequest asked) {
            if (!session.user().equals(config.settings().superuser())) {
                return CompletableFuture.failedFuture(new EcfsException(
                        ErrorCode.ACCESS_DENIED,
                        "user '" + session.user() + "' at " + session.remote()
                                + " may not read checkpoints: they hold all metadata and the keys of block tokens"));
            }
            return snapshotReaders.submit(() -> snapshots.serve(asked));
        }
        if (session.user().isEmpty()) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.ACCESS_DENIED, "the connection from " + session.remote() + " names no user"));
        }
        return namenode.handle(new Caller(session.user(), session.groups()), request.head())
                .thenApply(Parcel::of);
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn(
                        "event=close_failed namenode={} part={}",
                        config.id(),
                        part.getClass().getSimpleName(),
                        e);
            }
        }
        LOG.info("event=namenode_stopped namenode={}", config.id());
    }
}
