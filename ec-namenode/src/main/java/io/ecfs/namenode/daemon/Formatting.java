package io.ecfs.namenode.daemon;

import io.ecfs.env.Environment;
import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.log.ratis.RatisLog;
import io.ecfs.namenode.log.ratis.checkpoint.WireSnapshotSource;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.StoreFailure;
import io.ecfs.namenode.store.disk.NamenodeHome;
import io.ecfs.namenode.store.rocks.RocksStore;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.tls.PeerProof;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Binds a namenode's directory to the log that it belongs to: formatting a cluster, which only an operator orders
 * ({@code ecfs namenode format}), and upgrading a directory of a release before logs had identities. All others find
 * it, see {@link LogSearch}.
 */
public final class Formatting {
    static final String LOG = "log";
    static final String RAFT = LOG + "/raft";
    static final String STATE = "state";

    private Formatting() {}

    /**
     * Formats a new cluster on this namenode alone; the others, with empty directories, find it when all are started.
     *
     * @throws EcfsException {@code ALREADY_EXISTS} when the directory or another namenode of the configuration has a
     *     log, {@code BUSY} when the directory is in use; nothing was changed then
     */
    public static LogIdentity format(Environment environment, NamenodeConfig config) throws IOException {
        refuseWhereOthersHaveALog(
                environment, config, "start namenode " + config.id() + " with its empty directory, and it joins");
        LogIdentity log = draw(environment);
        format(environment, config, log);
        return log;
    }

    /** The identity of a new cluster's log. */
    public static LogIdentity draw(Environment environment) {
        return LogIdentity.draw(environment.randomness().uuid().toString(), environment.randomness());
    }

    /**
     * @param action that the operator is to take then
     * @throws EcfsException {@code ALREADY_EXISTS} when another namenode of the configuration answers that it has a log
     */
    static void refuseWhereOthersHaveALog(Environment environment, NamenodeConfig config, String action)
            throws EcfsException {
        try (WireLoops loops = WireLoops.open(config.id() + "-asking", 1);
                WireClient client = client(environment, config, loops)) {
            WireSnapshotSource peers = new WireSnapshotSource(client, id -> address(config, id));
            for (String other : config.namenodes().keySet()) {
                if (!other.equals(config.id())) {
                    refuseWhereThereIsALog(peers, other, action);
                }
            }
        }
    }

    /** A client for commands: it greets namenodes as this one, with its join token. */
    static WireClient client(Environment environment, NamenodeConfig config, WireLoops loops) throws EcfsException {
        PeerProof proof =
                new PeerProof(JoinTokenFile.read(config.joinTokenFile()), environment.randomness(), () -> false);
        return new WireClient(loops, config.wire(), () -> hello(config), proof);
    }

    /**
     * Formats one namenode as a first member of a log: it votes though its log is empty. For the namenodes of a cluster
     * that never ran. Makes the cluster's join token where this namenode has none.
     *
     * @throws EcfsException {@code ALREADY_EXISTS}, {@code BUSY}, {@code WRONG_CLUSTER}
     */
    public static void format(Environment environment, NamenodeConfig config, LogIdentity log) throws IOException {
        try (NamenodeHome home = NamenodeHome.open(config.directory(), config.id(), config.cluster())) {
            if (home.log().isPresent()) {
                throw new EcfsException(
                        ErrorCode.ALREADY_EXISTS,
                        config.directory() + " of namenode " + config.id() + " holds "
                                + home.log().get() + " already: nothing was changed");
            }
            if (!home.isEmpty(RAFT) || holdsFacts(config, home)) {
                throw new EcfsException(
                        ErrorCode.ALREADY_EXISTS,
                        config.directory() + " of namenode " + config.id() + " holds metadata already: nothing was"
                                + " changed; start the namenode, or give it an empty directory");
            }
            JoinTokenFile.readOrCreate(config.joinTokenFile(), environment.randomness());
            RatisLog.markFormatted(log(config));
            home.bind(log);
        }
    }

    /** A namenode that waited for its log has made a store, and nothing in it. */
    static boolean holdsFacts(NamenodeConfig config, NamenodeHome home) throws IOException {
        if (home.isEmpty(STATE)) {
            return false;
        }
        try (RocksStore store = new RocksStore(state(config), config.store())) {
            return new MetadataState(store).applied().index() >= 0;
        }
    }

    /** Describes the last entry in a directory's state, for people. */
    static String reach(NamenodeConfig config) {
        try (RocksStore store = new RocksStore(state(config), config.store())) {
            return " up to entry " + new MetadataState(store).applied().index();
        } catch (StoreFailure | StateStopped e) {
            return " that this release cannot read";
        }
    }

    static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no answer");
    }

    private static void refuseWhereThereIsALog(WireSnapshotSource peers, String other, String action)
            throws EcfsException {
        SnapshotReply reply;
        try {
            reply = peers.ask(other, new SnapshotRequest.DescribeLog()).reply();
        } catch (IOException e) {
            return; // the others usually do not run yet
        }
        if (reply instanceof SnapshotReply.LogDescription theirs
                && !theirs.log().isEmpty()) {
            throw new EcfsException(
                    ErrorCode.ALREADY_EXISTS,
                    "namenode " + other + " has log " + theirs.log() + " of cluster " + theirs.clusterId()
                            + " already: nothing was changed; " + action);
        }
    }

    /**
     * The log that a directory belongs to; a directory of an earlier release is bound to its log here. Empty for an
     * empty directory.
     *
     * @throws EcfsException {@code WRONG_CLUSTER} when the state is not that of the directory's log
     */
    static Optional<LogIdentity> known(NamenodeConfig config, NamenodeHome home, MetadataState state)
            throws IOException {
        Optional<LogIdentity> ofState;
        try (MetadataView view = state.view()) {
            ofState = view.log();
        }
        Optional<LogIdentity> known = home.log();
        if (known.isPresent()) {
            if (ofState.isPresent() && !ofState.equals(known)) {
                throw new EcfsException(
                        ErrorCode.WRONG_CLUSTER,
                        config.directory() + " belongs to " + known.get() + ", the state in it is of " + ofState.get()
                                + ": nothing was changed; put the right one in its place");
            }
            return known;
        }
        Optional<LogIdentity> earlier =
                home.clusterId().map(LogIdentity::ofCluster).or(() -> ofState);
        if (earlier.isPresent()) {
            // Releases without identities named the Raft group, and its directory, after the configured name of the
            // cluster.
            UUID group = UUID.nameUUIDFromBytes(("ecfs cluster " + config.cluster()).getBytes(StandardCharsets.UTF_8));
            home.rename(RAFT + "/" + group, RAFT + "/" + earlier.get().log());
            home.bind(earlier.get());
        } else if (!home.isEmpty(RAFT)) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    config.directory() + " of namenode " + config.id()
                            + " holds a log of an earlier release that no leader"
                            + " had given a cluster's id: nothing was changed; empty " + config.directory()
                            + ", and the namenode joins its cluster, or can be formatted");
        }
        return earlier;
    }

    static Path log(NamenodeConfig config) {
        return config.directory().resolve(LOG);
    }

    static Path state(NamenodeConfig config) {
        return config.directory().resolve(STATE);
    }

    /** The address of another namenode of a configuration. */
    static Optional<Address> address(NamenodeConfig config, String id) {
        return Optional.ofNullable(config.namenodes().get(id)).map(NamenodeConfig.Peer::address);
    }

    /** The greeting of a namenode to the others. */
    static Greeting.Hello hello(NamenodeConfig config) {
        return new Greeting.Hello(
                Greeting.PROTOCOL_VERSION, "", config.settings().superuser(), List.of(), "namenode " + config.id());
    }
}
