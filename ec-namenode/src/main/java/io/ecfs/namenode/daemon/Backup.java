package io.ecfs.namenode.daemon;

import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.snapshot.SnapshotReply.LogDescription;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotDownload;
import io.ecfs.namenode.log.ratis.checkpoint.WireSnapshotSource;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.StoreFailure;
import io.ecfs.namenode.store.disk.BackupDirectory;
import io.ecfs.namenode.store.disk.BackupManifest;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.client.WireClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * Takes a backup of the state from running namenodes: a checkpoint made for it, fetched over the wire as a namenode
 * that was away fetches one. The state is opened and compared with its hash before the backup gets its name. The model
 * is etcd's {@code snapshot save}.
 */
public final class Backup {
    /** Polls for the asked namenode to apply what its log has; it does so soon. */
    private static final int ATTEMPTS = 100;

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);

    private final Environment environment;
    private final NamenodeConfig config;
    private final WireSnapshotSource namenodes;

    private Backup(Environment environment, NamenodeConfig config, WireSnapshotSource namenodes) {
        this.environment = environment;
        this.config = config;
        this.namenodes = namenodes;
    }

    /**
     * Writes a backup that includes all that was acknowledged before the call; of one namenode alone, all that this one
     * has applied.
     * @param from the namenode to ask; empty: the one whose log reaches farthest, when a majority answers
     * @param place that does not exist yet, or an empty directory
     * @throws EcfsException in one line, {@code ALREADY_EXISTS}, {@code NOT_FOUND}, {@code UNREACHABLE}, {@code
     *     ACCESS_DENIED}, {@code NO_SPACE}, …; nothing is left behind then
     */
    public static BackupManifest take(Environment environment, NamenodeConfig config, Optional<String> from, Path place)
            throws IOException {
        if (from.isPresent() && !config.namenodes().containsKey(from.get())) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "no namenode " + from.get() + ", there are "
                            + config.namenodes().keySet());
        }
        try (WireLoops loops = WireLoops.open(config.id() + "-backup", 1);
                WireClient client = Formatting.client(environment, config, loops)) {
            WireSnapshotSource namenodes = new WireSnapshotSource(client, id -> Formatting.address(config, id));
            return new Backup(environment, config, namenodes).take(from, place);
        }
    }

    private BackupManifest take(Optional<String> from, Path place) throws IOException {
        BackupDirectory backup = BackupDirectory.begin(place);
        try {
            return from.isPresent() ? of(from.get(), -1, describe(from.get()), backup) : ofTheFarthest(backup);
        } catch (IOException | StoreFailure | StateStopped e) {
            throw failure(place, e);
        } finally {
            backup.abandon();
        }
    }

    /** Describes a failure in one line for an operator. */
    static EcfsException failure(Path place, Exception e) {
        if (e instanceof EcfsException known) {
            return known;
        }
        if (e instanceof StateStopped stopped) {
            return stopped.error();
        }
        String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        boolean full = reason.contains("No space left");
        return new EcfsException(
                full ? ErrorCode.NO_SPACE : ErrorCode.INTERNAL,
                "cannot write to " + place + ": " + reason + "; nothing was left there"
                        + (full ? "; make room and try again" : ""),
                e);
    }

    /** Entries that were acknowledged are in the logs of a majority. */
    private BackupManifest ofTheFarthest(BackupDirectory backup) throws IOException {
        Map<String, LogDescription> described = new TreeMap<>();
        List<String> silent = new ArrayList<>();
        for (String id : config.namenodes().keySet()) {
            try {
                described.put(id, describe(id));
            } catch (IOException e) {
                silent.add(id + " (" + Formatting.firstLine(e) + ")");
            }
        }
        if (described.values().stream().map(LogDescription::log).distinct().count() > 1) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    "the namenodes have different logs: "
                            + described.entrySet().stream()
                                    .map(its -> its.getKey() + " has log "
                                            + its.getValue().log())
                                    .collect(Collectors.joining(", ")));
        }
        if (described.size() <= config.namenodes().size() / 2) {
            throw new EcfsException(
                    ErrorCode.UNREACHABLE,
                    "a backup needs a majority of the namenodes, or it could lack what was acknowledged; no answer"
                            + " from "
                            + String.join(", ", silent)
                            + (described.isEmpty()
                                    ? ""
                                    : "; --from "
                                            + described.keySet().iterator().next() + " takes what that one has"));
        }
        Map.Entry<String, LogDescription> farthest = described.entrySet().stream()
                .max(Comparator.comparing(
                        Map.Entry::getValue,
                        Comparator.comparingLong(LogDescription::lastTerm)
                                .thenComparingLong(LogDescription::lastIndex)))
                .orElseThrow();
        return of(farthest.getKey(), farthest.getValue().lastIndex(), farthest.getValue(), backup);
    }

    private LogDescription describe(String namenode) throws IOException {
        if (!(namenodes.ask(namenode, new SnapshotRequest.DescribeLog()).reply() instanceof LogDescription its)
                || its.log().isEmpty()) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND, "namenode " + namenode + " has no log: its directory is empty");
        }
        return its;
    }

    private BackupManifest of(String namenode, long least, LogDescription its, BackupDirectory backup)
            throws IOException {
        LogIdentity log = new LogIdentity(its.clusterId(), UUID.fromString(its.log()));
        Position position = fetch(new SnapshotDownload(namenodes, namenode, log), least, backup);
        int level = check(backup, log, position);
        return backup.finish(new BackupManifest(
                config.cluster(), log, level, position, environment.clock().epochMillis(), namenode, List.of()));
    }

    private Position fetch(SnapshotDownload download, long least, BackupDirectory backup) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return download.fetchFresh(backup.state(), least);
            } catch (EcfsException e) {
                if (e.code() != ErrorCode.NOT_FOUND || attempt == ATTEMPTS) {
                    throw e;
                }
            }
            pause();
        }
    }

    private void pause() throws IOException {
        CompletableFuture<Void> over = new CompletableFuture<>();
        try (Scheduler timer = environment.threads().scheduler(config.id() + "-backup-pause")) {
            timer.schedule(BETWEEN_ATTEMPTS, () -> over.complete(null));
            over.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EcfsException(ErrorCode.TIMEOUT, "interrupted while the backup was taken", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return the feature level in force in the state */
    private static int check(BackupDirectory backup, LogIdentity log, Position position) throws IOException {
        try (RocksStore store = new RocksStore(backup.check(), RocksSettings.DEFAULT)) {
            store.install(backup.state());
            MetadataState state = new MetadataState(store);
            state.requireSound();
            try (MetadataView view = state.view()) {
                if (!state.applied().equals(position) || !view.log().equals(Optional.of(log))) {
                    throw new EcfsException(
                            ErrorCode.MALFORMED,
                            "the checkpoint of entry " + position + " of " + log + " holds entry " + state.applied()
                                    + " of "
                                    + view.log().map(LogIdentity::toString).orElse("no log"));
                }
            }
            return state.levelInForce();
        }
    }
}
