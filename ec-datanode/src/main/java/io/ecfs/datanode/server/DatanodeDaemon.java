package io.ecfs.datanode.server;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.datanode.relay.CellSink;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.datanode.scrub.Scrubber;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.disk.DirectoryVolumeIo;
import io.ecfs.datanode.store.disk.ErrorTexts;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.env.Environment;
import io.ecfs.env.FileNumbers;
import io.ecfs.env.real.FileNumbersFound;
import io.ecfs.env.real.IdleProcessors;
import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.env.real.SocketFile;
import io.ecfs.env.real.StatusServer;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.Greeting;
import io.ecfs.message.Metering.CallerKind;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.JoinToken;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.ThisMachine;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.file.FileSocket;
import io.ecfs.wire.server.WireServer;
import io.ecfs.wire.tls.PeerProof;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A datanode process without its {@code main}: home, volumes, network, control plane. A volume whose disk fails or is
 * not mounted is left out and the others serve; one of another datanode or cluster fails the start, because that is a
 * mistake in the configuration.
 */
public final class DatanodeDaemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatanodeDaemon.class);
    private static final int HOME_OPEN_FILES = 4;

    private final DatanodeConfig config;
    private final VolumeReplacement replacement;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>(); // the last started is closed first
    private final GaloisKernel kernel;
    private final Environment environment;
    private final Around around;
    private final BufferPool readBuffers;
    private Volumes volumes;
    private RelayService relays;
    private volatile WireServer server; // also read by the repairer
    private volatile ControlPlane plane; // also read by connections
    private Optional<StatusServer> status = Optional.empty();

    private DatanodeDaemon(
            DatanodeConfig config,
            VolumeReplacement replacement,
            GaloisKernel kernel,
            Environment environment,
            Around around) {
        this.config = config;
        this.replacement = replacement;
        this.kernel = kernel;
        this.environment = environment;
        this.around = around;
        this.readBuffers =
                new BufferPool("reads of " + config.id(), config.store().readBufferBytes());
    }

    /**
     * Starts a datanode; it registers as soon as a namenode answers.
     *
     * @param loops the process's network threads; not closed here
     * @param kernel kernel to rebuild chunks with
     * @throws EcfsException with what to correct; all that was opened is closed again
     */
    public static DatanodeDaemon start(
            DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment) throws EcfsException {
        return start(config, loops, kernel, environment, Around.NOTHING);
    }

    /** Starts a datanode, with volumes that are replaced at this start. */
    public static DatanodeDaemon start(
            DatanodeConfig config,
            VolumeReplacement replacement,
            WireLoops loops,
            GaloisKernel kernel,
            Environment environment)
            throws EcfsException {
        return started(new DatanodeDaemon(config, replacement, kernel, environment, Around.NOTHING), loops);
    }

    /**
     * Wrappers between a datanode and its machine, as for fault injection.
     *
     * @param disks maps the I/O of each volume's directory to the one that is used in its place
     * @param network the same for the caller of namenodes and other datanodes
     */
    public record Around(UnaryOperator<VolumeIo> disks, UnaryOperator<Caller> network) {
        /** No wrappers. */
        public static final Around NOTHING = new Around(UnaryOperator.identity(), UnaryOperator.identity());

        /** A wrapper of the disks only. */
        public static Around disks(UnaryOperator<VolumeIo> disks) {
            return new Around(disks, UnaryOperator.identity());
        }
    }

    /** Starts a datanode, with wrappers. */
    public static DatanodeDaemon start(
            DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment, Around around)
            throws EcfsException {
        return started(new DatanodeDaemon(config, VolumeReplacement.NONE, kernel, environment, around), loops);
    }

    private static DatanodeDaemon started(DatanodeDaemon daemon, WireLoops loops) throws EcfsException {
        try {
            daemon.begin(loops);
            return daemon;
        } catch (EcfsException e) {
            daemon.close();
            throw e;
        } catch (IOException e) {
            daemon.close();
            throw new EcfsException(
                    ErrorCode.VOLUME_FAILED, "datanode " + daemon.config.id() + " cannot start: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            daemon.close();
            throw e;
        }
    }

    /** Address of the chunk service. */
    public Address address() {
        return server.address();
    }

    /** Address of the status page; empty when it is not served. */
    public Optional<Address> statusAddress() {
        return status.map(StatusServer::address);
    }

    ControlPlane controlPlane() {
        return plane;
    }

    public Volumes volumes() {
        return volumes;
    }

    /** Totals of what it relays for writers. */
    public RelayService.Totals relays() {
        return relays.totals();
    }

    /** Number of buffers lent to reads at the moment. */
    long readLoans() {
        return readBuffers.loans();
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                LOG.error("event=datanode_close_failed datanode={}", config.id(), e);
            }
        }
        LOG.info("event=datanode_stopped datanode={}", config.id());
    }

    private void begin(WireLoops loops) throws IOException {
        replacement.check(config);
        DatanodeHome home = part(DatanodeHome.open(
                new DirectoryVolumeIo(Path.of(config.home()), HOME_OPEN_FILES),
                config.id(),
                environment.randomness()::uuid));
        ErrorTexts.requireKnown(Path.of(config.home()));
        volumes = part(new VolumeOpening(
                        config,
                        replacement,
                        environment,
                        around.disks(),
                        () -> part(environment.threads().scheduler("delays-" + config.id())))
                .open(home));
        String role = PeerIdentity.DATANODE + config.id();
        PeerProof proof = proof();
        Caller client = around.network()
                .apply(part(new WireClient(
                        loops,
                        config.wire(),
                        () -> new Greeting.Hello(
                                Greeting.PROTOCOL_VERSION, home.identity().clusterId(), role, List.of(), role),
                        proof)));
        BlockTokenVerifier tokens = new BlockTokenVerifier(
                environment.clock(), () -> home.identity().clusterId());
        Codes codes = new Codes(kernel);
        Repairer repairer = part(new Repairer(
                config.id().name(),
                client,
                codes,
                environment.clock(),
                environment.threads(),
                config.repair(),
                this::userBytes,
                new IdleProcessors()));
        Rewriter rewriter = part(new Rewriter(
                config.id().name(),
                new ChunkClient(client, config.repair().readTimeout()),
                codes,
                environment,
                repairer::calmly));
        BackgroundSync sync =
                part(new BackgroundSync(environment.threads(), config.store().syncInterval()));
        volumes.all().forEach(sync::start);
        plane = part(new ControlPlane(
                config.id(),
                config.rack(),
                config.namenodes(),
                home,
                volumes,
                tokens,
                client,
                repairer,
                rewriter,
                new IdleProcessors(),
                () -> Optional.of(relays.load()),
                environment,
                config.control()));
        Optional<String> fileSocket = passFiles(loops, tokens);
        relays = part(new RelayService(
                config.id().name(),
                CellSink.through(new ChunkClient(client, config.relay().writeTimeout())),
                codes,
                environment,
                config.relay().within(config.wire().serverRequestBytes())));
        server = part(WireServer.start(
                loops,
                config.wire(),
                config.listen(),
                () -> new Greeting.Welcome(
                        Greeting.PROTOCOL_VERSION, home.identity().clusterId(), role),
                proof,
                new ChunkService(
                        volumes,
                        tokens,
                        readBuffers,
                        config.store().maxReadBytes(),
                        config.store().showFiles(),
                        fileSocket,
                        ThisMachine::has,
                        plane,
                        environment.clock(),
                        Optional.of(relays))));
        Scrubber scrubber = part(new Scrubber(config.id().name(), environment, config.scrub()));
        for (ServedVolume served : volumes.all()) {
            scrubber.start(served.volume(), served.queue(), record -> tell(served, record));
        }
        DatanodeStatus numbers = new DatanodeStatus(config, volumes, server, readBuffers, repairer, relays, scrubber);
        if (config.status().isPresent()) {
            status = Optional.of(part(StatusServer.start(
                    "status-" + config.id(), config.status().get(), numbers::health, numbers::metrics)));
        }
        plane.start(advertised());
        LOG.info(
                "event=datanode_started datanode={} address={} volumes={} namenodes={}",
                config.id(),
                advertised(),
                volumes.all().size(),
                config.namenodes());
    }

    /**
     * Begins to pass files to other users of this machine, if that is configured and possible; returns the socket's
     * path.
     */
    private Optional<String> passFiles(WireLoops loops, BlockTokenVerifier tokens) throws IOException {
        if (config.store().localSocket().isEmpty() || !config.store().showFiles()) {
            return Optional.empty();
        }
        Path socket = config.store().localSocket().get();
        Optional<FileNumbers> numbers = FileNumbersFound.find();
        if (numbers.isEmpty()) {
            LOG.warn(
                    "event=file_socket_off datanode={} path={} reason=\"the native library is missing\" note=other"
                            + " users read over the network",
                    config.id(),
                    socket);
            return Optional.empty();
        }
        if (FileSocket.isServed(loops, socket)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "another process listens on " + socket + ": give each datanode its own store.localSocket");
        }
        SocketFile.makeRoom(socket);
        part(() -> SocketFile.remove(socket));
        part(FileSocket.start(loops, socket, new OpenFileService(volumes, tokens, numbers.get())));
        SocketFile.openToAll(socket);
        return Optional.of(socket.toString());
    }

    private PeerProof proof() throws EcfsException {
        Optional<JoinToken> token = JoinTokenFile.read(config.joinTokenFile());
        if (token.isEmpty()) {
            LOG.warn(
                    "event=join_token_missing datanode={} file={} action=\"copy the cluster's join token there from a"
                            + " namenode and start again: namenodes do not know this datanode without it\"",
                    config.id(),
                    config.joinTokenFile());
        }
        return new PeerProof(token, environment.randomness(), this::proofRequired);
    }

    /**
     * Returns whether the cluster requires proofs, known from the first reply of a namenode: then this datanode neither
     * calls nor answers unproved peers.
     */
    private boolean proofRequired() {
        return plane != null && plane.levelInForce() >= FeatureLevel.PROVED_PEERS;
    }

    /** Reports a chunk, unless the volume has no number yet: its first full report will have the chunk. */
    private void tell(ServedVolume served, ChunkRecord record) {
        volumes.numberOf(served).ifPresent(volume -> plane.changed(new ChunkChange.Present(volume, record)));
    }

    private long userBytes() {
        return server == null ? 0 : server.bytesExchanged(CallerKind.CLIENT);
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    private Address advertised() {
        Address own = server.address();
        return config.advertised()
                .map(named -> named.port() == 0 ? new Address(named.host(), own.port()) : named)
                .orElse(own);
    }
}
