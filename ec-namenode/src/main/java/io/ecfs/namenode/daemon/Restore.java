package io.ecfs.namenode.daemon;

import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.log.ratis.RatisLog;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.StoreFailure;
import io.ecfs.namenode.store.disk.BackupDirectory;
import io.ecfs.namenode.store.disk.BackupManifest;
import io.ecfs.namenode.store.disk.NamenodeHome;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Restores a backup into the directory of a namenode that does not run, with a log of a new identity; the others fetch
 * it from there when they start with empty directories. The model is etcd's {@code snapshot restore}: what was decided
 * since the backup is lost, and a log that still knows it never meets the new one.
 *
 * <p>Datanodes have what was written since, and lack what was deleted since. The next epoch of group numbers, with the
 * stamps of groups, prevents that their chunks are taken for parts of groups that are written later; terms above those
 * of the lost log let them follow its leaders.
 */
public final class Restore {
    private static final int PAGE = 1000;

    /**
     * Result of a restore.
     * @param open files that were being written when the backup was taken: they are recovered with what their chunks
     *     hold now
     */
    public record Restored(
            BackupManifest backup, LogIdentity log, int epoch, long files, long groups, List<FilePath> open) {
        public Restored {
            open = List.copyOf(open);
        }
    }

    private final NamenodeConfig config;
    private final BackupManifest manifest;
    private final Path backup;
    private final Instant now;

    private Restore(NamenodeConfig config, BackupManifest manifest, Path backup, Instant now) {
        this.config = config;
        this.manifest = manifest;
        this.backup = backup;
        this.now = now;
    }

    /**
     * Restores into the configuration's directory. When it breaks off, the directory is refused by all but another
     * restore.
     *
     * @throws EcfsException in one line, nothing changed: {@code MALFORMED}, {@code WRONG_CLUSTER},
     *     {@code INCOMPATIBLE_VERSION} for the backup; {@code ALREADY_EXISTS} when the directory holds a state or
     *     another namenode has a log, {@code BUSY} when this namenode runs, {@code NO_SPACE}
     */
    public static Restored restore(Environment environment, NamenodeConfig config, Path backup) throws IOException {
        BackupManifest manifest = BackupDirectory.read(backup);
        if (!manifest.cluster().equals(config.cluster())) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    "the backup in " + backup + " is of cluster " + manifest.cluster() + ", the configuration is of "
                            + config.cluster() + ": nothing was changed; name the right one of the two");
        }
        if (manifest.level() > FeatureLevel.RELEASE) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "the backup in " + backup + " is at feature level " + manifest.level()
                            + ", this release reads up to "
                            + FeatureLevel.RELEASE + ": nothing was changed; restore it with a release of level "
                            + manifest.level() + " or above");
        }
        Formatting.refuseWhereOthersHaveALog(
                environment, config, "stop all namenodes and move their directories away before a restore");
        try (NamenodeHome home = NamenodeHome.openToRestore(config.directory(), config.id(), config.cluster())) {
            Restore restore = new Restore(
                    config,
                    manifest,
                    backup,
                    Instant.ofEpochMilli(environment.clock().epochMillis()));
            boolean again = home.restoring();
            if (!again) {
                restore.refuseOverAState(home);
            }
            BackupDirectory.verify(backup, manifest);
            return restore.into(home, LogIdentity.draw(manifest.log().clusterId(), environment.randomness()), again);
        }
    }

    private void refuseOverAState(NamenodeHome home) throws IOException {
        String holds;
        if (home.log().isPresent()) {
            holds = home.log().get().toString();
        } else if (!home.isEmpty(Formatting.RAFT) || Formatting.holdsFacts(config, home)) {
            holds = "metadata";
        } else {
            return;
        }
        throw new EcfsException(
                ErrorCode.ALREADY_EXISTS,
                config.directory() + " of namenode " + config.id() + " holds " + holds + Formatting.reach(config)
                        + ", the backup ends at entry " + manifest.position().index()
                        + ": nothing was changed; start the namenode, or move its directory away if all that came after"
                        + " the backup is to be given up");
    }

    private Restored into(NamenodeHome home, LogIdentity log, boolean again) throws IOException {
        try {
            Path room = home.beginRestore(Formatting.LOG, Formatting.STATE);
            BackupDirectory.copyState(backup, manifest, room.resolve("state"));
            Restored restored = state(room, log);
            home.bind(log);
            home.endRestore();
            return restored;
        } catch (IOException | StoreFailure | StateStopped e) {
            EcfsException failure = Backup.failure(config.directory(), e);
            if (!again) {
                undo(home, failure);
            }
            throw failure;
        }
    }

    /** Rejects every start but another restore when the failed one cannot be undone. */
    private static void undo(NamenodeHome home, EcfsException failure) {
        try {
            home.beginRestore(Formatting.LOG, Formatting.STATE);
            home.endRestore();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private Restored state(Path room, LogIdentity log) throws IOException {
        try (RocksStore store = new RocksStore(Formatting.state(config), config.store())) {
            store.install(room.resolve("state"));
            MetadataState state = new MetadataState(store);
            state.requireSound();
            try (MetadataView view = state.view()) {
                boolean same = view.log().filter(manifest.log()::equals).isPresent()
                        && view.applied().equals(manifest.position());
                if (!same) {
                    throw new EcfsException(
                            ErrorCode.MALFORMED,
                            "the backup in " + backup + " holds " + view.log() + " up to " + view.applied()
                                    + " and says that it is " + manifest);
                }
            }
            int epoch = state.beginAnew(log, now);
            RatisLog.formatBehind(Formatting.log(config), log, state.applied());
            store.checkpoint(room.resolve("durable")); // only then are the commits above on the disk
            try (MetadataView view = state.view()) {
                return new Restored(
                        manifest,
                        log,
                        epoch,
                        view.count(Counter.FILES),
                        view.count(Counter.SEALED_GROUPS) + view.count(Counter.OPEN_GROUPS),
                        open(view));
            }
        }
    }

    private static List<FilePath> open(MetadataView view) throws EcfsException {
        NamespaceView namespace = view.namespace();
        List<FilePath> open = new ArrayList<>();
        List<Lease> page;
        long after = 0;
        do {
            page = namespace.leases(after, PAGE);
            for (Lease lease : page) {
                namespace.status(lease.file()).map(FileStatus::path).ifPresent(open::add);
                after = lease.file().value();
            }
        } while (page.size() == PAGE);
        return open;
    }
}
