package io.ecfs.namenode.daemon;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.config.PemFiles;
import io.ecfs.env.Environment;
import io.ecfs.env.Workers;
import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.env.real.Metric;
import io.ecfs.env.real.StatusServer;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.CallerContext;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.audit.AuditCaller;
import io.ecfs.namenode.audit.AuditSettings;
import io.ecfs.namenode.audit.AuditSink;
import io.ecfs.namenode.audit.AuditSource;
import io.ecfs.namenode.audit.AuditTrail;
import io.ecfs.namenode.audit.LoggerSink;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.ConnectProbe;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.context.Peers;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.log.ratis.LogContext;
import io.ecfs.namenode.log.ratis.RaftMember;
import io.ecfs.namenode.log.ratis.RaftMember.RaftTls;
import io.ecfs.namenode.log.ratis.RatisLog;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotServer;
import io.ecfs.namenode.log.ratis.checkpoint.WireSnapshotSource;
import io.ecfs.namenode.metrics.NamenodeGauges;
import io.ecfs.namenode.rpc.Namenode;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.StoreFailure;
import io.ecfs.namenode.store.disk.AuditLogFile;
import io.ecfs.namenode.store.disk.AuditLogReader;
import io.ecfs.namenode.store.disk.NamenodeHome;
import io.ecfs.namenode.store.rocks.RocksStore;
import io.ecfs.namenode.user.GroupCache;
import io.ecfs.token.JoinToken;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Handler;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.server.WireServer;
import io.ecfs.wire.tls.PeerProof;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running namenode on a real machine: its directory, RocksDB store, Ratis log, wire server and monitoring around
 * one {@link Namenode}. On an empty directory it serves nothing before it has learned from another namenode which log
 * it belongs to; only {@link Formatting} makes a new one. Closing stops everything in the opposite order and leaves
 * no thread.
 */
public final class NamenodeDaemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NamenodeDaemon.class);
    private static final int LOOPS = 2;
    private static final int SNAPSHOT_READERS = 2;
    private static final int MAX_WAITING_SNAPSHOT_READS = 64;
    private static final Duration PEER_PATIENCE = Duration.ofSeconds(5);
    private static final Duration STATUS_PATIENCE = Duration.ofSeconds(5);

    private final NamenodeConfig config;
    private Peers others = Peers.NONE;
    private ConnectProbe probe = ConnectProbe.NONE;
    /** Last opened first. */
    @GuardedBy("this")
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private record Serving(Namenode namenode, RatisLog log, SnapshotServer snapshots, Workers snapshotReaders) {}

    /** Parts that need a log; empty while this namenode searches the one that it belongs to. */
    private volatile Optional<Serving> serving = Optional.empty();

    private volatile Optional<LogSearch> search = Optional.empty();
    private GroupCache groups;
    private Optional<AuditTrail> audit = Optional.empty();
    private WireServer server;
    private volatile boolean closed;

    private Optional<StatusServer> status = Optional.empty();

    private NamenodeDaemon(NamenodeConfig config) {
        this.config = config;
    }

    /**
     * Starts and returns once it listens; who leads and whether writes are taken shows later.
     * @param onFailure runs once when this namenode cannot go on (its disk failed); the caller then closes it
     * @throws EcfsException naming the directory, address or setting that is wrong; nothing is left running
     */
    public static NamenodeDaemon start(Environment environment, NamenodeConfig config, Consumer<Throwable> onFailure)
            throws IOException {
        NamenodeDaemon daemon = new NamenodeDaemon(config);
        try {
            daemon.open(
                    environment,
                    failure -> onFailure.accept(failure instanceof StateStopped stopped ? stopped.error() : failure));
            return daemon;
        } catch (IOException | RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    @GuardedBy("this")
    private <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    private synchronized void open(Environment environment, Consumer<Throwable> onFailure) throws IOException {
        NamenodeHome home = keep(NamenodeHome.open(config.directory(), config.id(), config.cluster()));
        groups = keep(new GroupCache(config.groups().open(), environment, config.id()));
        openAudit(environment);
        WireLoops loops = keep(WireLoops.open(config.id(), LOOPS));
        MetadataState state = openState();
        PeerProof proof = proof(environment, state);
        WireClient client = keep(new WireClient(loops, config.wire(), () -> Formatting.hello(config), proof));
        others = peers(client);
        probe = client::refuses;
        WireSnapshotSource peers = new WireSnapshotSource(client, id -> Formatting.address(config, id));
        LogContext context = new LogContext(environment, id -> Formatting.address(config, id), peers, onFailure);
        Optional<LogIdentity> log = Formatting.known(config, home, state);
        if (log.isPresent()) {
            serve(log.get(), state, context);
        } else if (config.namenodes().size() == 1) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    config.directory() + " of namenode " + config.id()
                            + " is empty, and no other namenode could have the"
                            + " cluster's state: make a new cluster with 'ecfs namenode format', once");
        }
        server = keep(WireServer.start(loops, config.wire(), config.listenAddress(), this::welcome, proof, handler()));
        if (config.status().isPresent()) {
            status = Optional.of(keep(
                    StatusServer.start(config.id() + "-status", config.status().get(), this::health, this::metrics)));
        }
        if (log.isEmpty()) {
            search = Optional.of(new LogSearch(environment, config, peers, its -> join(its, home, state, context)));
            search.get().begin();
        }
        LOG.info("event=namenode_started namenode={} address={} dir={}", config.id(), address(), config.directory());
    }

    @GuardedBy("this")
    private void openAudit(Environment environment) throws IOException {
        AuditSink sink;
        switch (config.audit().target()) {
            case FILE -> {
                try {
                    sink = new AuditLogFile(
                            config.auditFile(),
                            config.audit().fileBytes(),
                            config.audit().files());
                } catch (IOException e) {
                    throw new EcfsException(
                            ErrorCode.INVALID_ARGUMENT,
                            "the audit log " + config.auditFile() + " cannot be written (" + e
                                    + "): correct audit.file, or its directory's mode and free space",
                            e);
                }
            }
            case LOGGER -> sink = new LoggerSink();
            default -> {
                LOG.warn("event=audit_off namenode={} reason=\"audit.target is NONE\"", config.id());
                return;
            }
        }
        audit = Optional.of(keep(new AuditTrail(config.id(), environment, config.audit(), sink)));
    }

    private AuditSource auditSource() {
        return config.audit().target() == AuditSettings.Target.FILE
                ? new AuditLogReader(config.auditFile(), config.audit().files())
                : AuditSource.none();
    }

    /** Before all daemons must have the join token, an upgraded namenode runs without. */
    private PeerProof proof(Environment environment, MetadataState state) throws EcfsException {
        BooleanSupplier required = () -> state.levelInForce() >= FeatureLevel.PROVED_PEERS;
        Optional<JoinToken> token = JoinTokenFile.read(config.joinTokenFile());
        if (token.isEmpty() && required.getAsBoolean()) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    "namenode " + config.id() + " has no join token: copy the file from another namenode of its cluster"
                            + " to " + config.joinTokenFile());
        } else if (token.isEmpty()) {
            LOG.warn(
                    "event=join_token_missing namenode={} file={} action=\"copy the cluster's join token there and"
                            + " start again: others do not know this namenode without it\"",
                    config.id(),
                    config.joinTokenFile());
        }
        return new PeerProof(token, environment.randomness(), required);
    }

    @GuardedBy("this")
    private void serve(LogIdentity log, MetadataState state, LogContext context) throws IOException {
        RatisLog opened = keep(RatisLog.open(raftMember(log), config.raft(), state, context));
        Workers snapshotReaders = keep(context.environment()
                .threads()
                .workers(config.id() + "-snapshots", SNAPSHOT_READERS, MAX_WAITING_SNAPSHOT_READS));
        Map<String, Address> addresses = new TreeMap<>();
        config.namenodes().forEach((id, peer) -> addresses.put(id, peer.address()));
        Namenode namenode = keep(new Namenode(
                context.environment(),
                new Members(config.id(), addresses, others),
                opened,
                state,
                config.settings(),
                auditSource(),
                probe));
        audit.ifPresent(trail -> trail.resolveWith(namenode::pathOf));
        serving = Optional.of(new Serving(namenode, opened, opened.snapshots(), snapshotReaders));
    }

    /** Joins the log that the search found. */
    private synchronized void join(LogIdentity log, NamenodeHome home, MetadataState state, LogContext context) {
        if (closed) {
            return;
        }
        try {
            home.bind(log);
            LOG.info("event=log_joined namenode={} cluster={} log={}", config.id(), log.clusterId(), log.log());
            serve(log, state, context);
            // Requests end before what they need.
            List<AutoCloseable> doors = new ArrayList<>(List.of(server));
            status.ifPresent(doors::add);
            for (AutoCloseable door : doors) {
                parts.remove(door);
                parts.push(door);
            }
        } catch (IOException | RuntimeException e) {
            LOG.error(
                    "event=namenode_failed namenode={} doing=\"opening its log\" reason=\"{}\"",
                    config.id(),
                    e.getMessage(),
                    e);
            context.onFailure().accept(e);
        }
    }

    /**
     * The namenodes that it waits for after it started on an empty directory: those that could know the log, then
     * those that must describe theirs before it may vote. Empty when it waits for none.
     */
    public Optional<String> waitsFor() {
        return serving.isEmpty()
                ? search.map(LogSearch::waitsFor).filter(names -> !names.isEmpty())
                : Optional.of(String.join(", ", serving.get().log().waitsFor())).filter(names -> !names.isEmpty());
    }

    /** The address at which it serves clients and datanodes. */
    public Address address() {
        return server.address();
    }

    /** The address at which monitors are answered. */
    public Optional<Address> statusAddress() {
        return status.map(StatusServer::address);
    }

    /** Empty until the state has it. */
    public String clusterId() {
        return serving.map(s -> s.namenode().clusterId()).orElse("");
    }

    private RaftMember raftMember(LogIdentity log) throws EcfsException {
        if (config.raftTls().isPresent()) {
            RaftTls files = config.raftTls().get();
            X509Certificate[] chain = PemFiles.chain("raftTls.certificates", files.certificates());
            PemFiles.key("raftTls.key", files.key(), chain[0]);
            PemFiles.certificates("raftTls.authority", files.authority());
        }
        Map<String, Address> peers = new TreeMap<>();
        config.namenodes().forEach((id, peer) -> peers.put(id, peer.raft()));
        LOG.info(
                "event=log_traffic namenode={} tls={} files={}",
                config.id(),
                config.logTls().isPresent(),
                config.raftTls().isPresent() ? "raftTls" : config.wire().tls().isPresent() ? "wire.tls" : "none");
        return new RaftMember(config.id(), log, peers, Formatting.log(config), config.logTls());
    }

    @GuardedBy("this")
    private MetadataState openState() throws EcfsException {
        try {
            RocksStore store = keep(new RocksStore(Formatting.state(config), config.store()));
            return new MetadataState(store);
        } catch (StateStopped e) {
            throw e.error();
        } catch (StoreFailure e) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    "namenode " + config.id() + " cannot start: " + Formatting.firstLine(e)
                            + "; if files are damaged or missing, move " + config.directory()
                            + " away and start it again, so that it fetches everything from the others, or restore a"
                            + " backup where no other has the state",
                    e);
        }
    }

    private Peers peers(WireClient client) {
        return (id, question) -> Formatting.address(config, id)
                .map(to -> client.call(to, question, PEER_PATIENCE).thenCompose(NamenodeDaemon::stateIn))
                .orElseGet(() -> CompletableFuture.failedFuture(
                        new EcfsException(ErrorCode.UNREACHABLE, "no address is configured for namenode " + id)));
    }

    private static CompletionStage<NamespaceReply.NamenodeState> stateIn(Envelope envelope) {
        try {
            NamespaceReply.NamenodeState found = envelope.expect(NamespaceReply.NamenodeState.class);
            envelope.release();
            return CompletableFuture.completedFuture(found);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Greeting.Welcome welcome() {
        return new Greeting.Welcome(Greeting.PROTOCOL_VERSION, clusterId(), "namenode " + config.id());
    }

    private StatusServer.Health health() {
        Optional<Serving> present = serving;
        if (present.isEmpty()) {
            return new StatusServer.Health(false, config.id() + " " + waiting());
        }
        Optional<String> missing = waitsFor();
        if (missing.isPresent()) {
            return new StatusServer.Health(
                    false,
                    config.id()
                            + " started on an empty directory: it may not vote before it has caught up with a leader,"
                            + " or "
                            + missing.get() + " answered");
        }
        try {
            NamenodeGauges now =
                    present.get().namenode().gauges().get(STATUS_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
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

    private String waiting() {
        return "has an empty directory and looks for its cluster's log; it waits for "
                + waitsFor().orElse("the others");
    }

    private List<Metric> metrics() {
        List<Metric> all = new ArrayList<>();
        serving.ifPresent(present -> all.addAll(metrics(present)));
        audit.ifPresent(trail -> all.addAll(trail.counts().named(config.id())));
        return all;
    }

    private List<Metric> metrics(Serving present) {
        try {
            return present.namenode()
                    .gauges()
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

    private Handler handler() {
        return new Handler() {
            @Override
            public CompletionStage<Envelope> handle(Session session, Envelope request) {
                return NamenodeDaemon.this.handle(session, request);
            }

            @Override
            public void closed(Session session) {
                if (session.identity() instanceof PeerIdentity.Datanode datanode) {
                    serving.ifPresent(present -> present.namenode().connectionClosed(datanode.id()));
                }
            }
        };
    }

    private CompletionStage<Envelope> handle(Session session, Envelope request) {
        request.release();
        Optional<Serving> present = serving;
        if (request.head() instanceof SnapshotRequest asked) {
            if (session.identity() instanceof PeerIdentity.User
                    && !session.user().equals(config.settings().superuser())) {
                return CompletableFuture.failedFuture(new EcfsException(
                        ErrorCode.ACCESS_DENIED,
                        "user '" + session.user() + "' at " + session.remote()
                                + " may not read checkpoints: they hold all metadata and the keys of block tokens"));
            }
            if (present.isEmpty() && asked instanceof SnapshotRequest.DescribeLog) {
                return CompletableFuture.completedFuture(
                        Envelope.of(new SnapshotReply.LogDescription("", "", 0, 0, -1)));
            } else if (present.isPresent()) {
                return present.get()
                        .snapshotReaders()
                        .submit(() -> present.get().snapshots().serve(asked));
            }
        }
        if (session.user().isEmpty()) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.ACCESS_DENIED, "the connection from " + session.remote() + " names no user"));
        }
        if (present.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new EcfsException(ErrorCode.NOT_LEADER, "namenode " + config.id() + " " + waiting()));
        }
        Namenode namenode = present.get().namenode();
        if (session.featureLevel() < FeatureLevel.BOUND_TOKENS
                && namenode.boundTokens()
                && answeredWithTokens(request)) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "the caller at " + session.remote() + " is of a release before feature level "
                            + FeatureLevel.BOUND_TOKENS + ", which is in force: upgrade it"));
        }
        boolean proved = !(session.identity() instanceof PeerIdentity.User);
        // Datanodes, whose groups do not matter, never wait for the lookup of groups.
        CompletableFuture<List<String>> known = request.head() instanceof NamespaceRequest
                ? groups.of(session.user())
                : CompletableFuture.completedFuture(List.of());
        Supplier<CompletableFuture<Message>> work = () -> known.thenCompose(found -> namenode.handle(
                        new CallerIdentity(session.user(), found, new CallerContext(session.role())),
                        Optional.of(session.remote().host()),
                        proved,
                        request.head())
                .thenApply(Message.class::cast));
        CompletableFuture<Message> reply = audit.isPresent() && request.head() instanceof NamespaceRequest asked
                ? audit.get()
                        .record(new AuditCaller(session.user(), session.remote().host(), session.role()), asked, work)
                : work.get();
        return reply.thenApply(answer -> Envelope.of(OlderPeers.answer(answer, session.featureLevel())));
    }

    /** Returns whether the answer has block tokens, which releases of level 1 cannot read from level 2 on. */
    private static boolean answeredWithTokens(Envelope request) {
        return request.head() instanceof NamespaceRequest.Locate
                || request.head() instanceof NamespaceRequest.LocateAll
                || request.head() instanceof NamespaceRequest.Create
                || request.head() instanceof NamespaceRequest.Append
                || request.head() instanceof NamespaceRequest.AddGroup
                || request.head() instanceof NamespaceRequest.RenewToken;
    }

    @Override
    public void close() {
        closed = true;
        search.ifPresent(LogSearch::close); // without the monitor, which what it found may be waiting for
        closeParts();
        LOG.info("event=namenode_stopped namenode={}", config.id());
    }

    private synchronized void closeParts() {
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
    }
}
