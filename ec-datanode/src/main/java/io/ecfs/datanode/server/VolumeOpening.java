package io.ecfs.datanode.server;

import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.VolumeTerms;
import io.ecfs.datanode.store.disk.DirectoryVolumeIo;
import io.ecfs.datanode.store.disk.FaultFile;
import io.ecfs.datanode.store.disk.FaultyVolumeIo;
import io.ecfs.datanode.store.disk.JournalDirectory;
import io.ecfs.datanode.store.io.NotMountedException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.datanode.store.ring.StagedVolume;
import io.ecfs.datanode.store.ring.StagedVolumeIo;
import io.ecfs.datanode.store.ring.journal.JournalMissingException;
import io.ecfs.datanode.store.ring.journal.JournalTerms;
import io.ecfs.env.Environment;
import io.ecfs.env.FileSystemSync;
import io.ecfs.env.Scheduler;
import io.ecfs.env.real.FileSystemSyncs;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the volumes of a datanode at its start, each behind its journal if there is one. A volume whose disk fails, is
 * not mounted or lacks its journal is left out, and the others serve. A single use of one thread.
 */
final class VolumeOpening {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeOpening.class);
    private static final int QUEUE_SPARE = 64;

    private final DatanodeConfig config;
    private final VolumeReplacement replacement;
    private final Environment environment;
    private final UnaryOperator<VolumeIo> around;
    private final Supplier<Scheduler> newDelays;
    /** Uuids of volumes in whose places others were opened. */
    private final Set<String> replaced = new TreeSet<>();

    private Optional<Scheduler> delays = Optional.empty();

    /**
     * @param around maps the port of each directory to the one that is used in its place
     * @param newDelays makes the scheduler of delayed acknowledgements, when a volume has a journal
     */
    VolumeOpening(
            DatanodeConfig config,
            VolumeReplacement replacement,
            Environment environment,
            UnaryOperator<VolumeIo> around,
            Supplier<Scheduler> newDelays) {
        this.config = config;
        this.replacement = replacement;
        this.environment = environment;
        this.around = around;
        this.newDelays = newDelays;
    }

    /** @throws EcfsException when none works, or one is of another datanode or cluster; all are closed again */
    Volumes open(DatanodeHome home) throws IOException {
        List<ServedVolume> served = new ArrayList<>();
        try {
            for (String directory : config.volumes()) {
                openVolume(home, VolumeReplacement.absolute(Path.of(directory))).ifPresent(served::add);
            }
            home.rememberVolumes();
            tidyJournals(home);
            if (served.isEmpty()) {
                throw new EcfsException(
                        ErrorCode.VOLUME_FAILED,
                        "datanode " + config.id() + " has no working volume among " + config.volumes());
            }
        } catch (IOException | RuntimeException e) {
            served.forEach(ServedVolume::close);
            throw e;
        }
        return new Volumes(served);
    }

    private void tidyJournals(DatanodeHome home) {
        if (config.store().journal().isEmpty()) {
            return;
        }
        Path journals = config.store().journal().get().directory();
        try {
            JournalDirectory.at(journals).tidy(home.volumeUuids(), replaced);
        } catch (IOException e) {
            LOG.warn("event=journals_not_listed path={} error=\"{}\"", journals, e.toString());
        }
    }

    private Optional<ServedVolume> openVolume(DatanodeHome home, Path directory) throws EcfsException {
        DatanodeConfig.StoreSettings store = config.store();
        String path = directory.toString();
        boolean mayFormat = replacement.includes(directory) || home.isNew(path);
        Volume volume;
        Optional<StagedVolumeIo> staged;
        try {
            Optional<FileSystemSync> fileSystem = FileSystemSyncs.find();
            VolumeIo disk = around.apply(withFaults(openDisk(directory, mayFormat, fileSystem), directory));
            UUID fresh = environment.randomness().uuid();
            staged = stage(disk, directory, mayFormat, fileSystem.isPresent(), fresh);
            volume = Volume.open(
                    staged.isPresent() ? staged.get() : disk,
                    home.identity(),
                    new VolumeTerms(store.reserveBytes(), store.readErrors(), environment.clock(), mayFormat),
                    () -> fresh);
            if (replacement.includes(directory)) {
                home.volumeAt(path).ifPresent(replaced::add);
            }
            home.opened(path, volume.uuid());
        } catch (EcfsException e) {
            throw e;
        } catch (NotMountedException e) {
            home.missed(path);
            LOG.error(
                    "event=volume_not_mounted datanode={} path={} volume={} reason=\"{}\" action=\"mount its drive"
                            + " and start again; if it was replaced by a new one, start once with"
                            + " --replace-volume {}\"",
                    config.id(),
                    path,
                    home.volumeAt(path).orElse("unknown"),
                    e.getMessage(),
                    path);
            return Optional.empty();
        } catch (JournalMissingException e) {
            home.missed(path);
            LOG.error(
                    "event=volume_journal_missing datanode={} path={} reason=\"{}\" action=\"mount the directory of the"
                            + " journal and start again; if the journal is lost for good, mount an empty"
                            + " drive instead of the volume's and start once with --replace-volume {}\"",
                    config.id(),
                    path,
                    e.getMessage(),
                    path);
            return Optional.empty();
        } catch (IOException e) {
            if (!mayFormat) {
                home.missed(path);
            }
            LOG.error(
                    "event=volume_left_out datanode={} path={} error=\"{}\"",
                    config.id(),
                    directory,
                    e.getMessage(),
                    e);
            return Optional.empty();
        }
        VolumeQueue queue = new VolumeQueue(
                environment
                        .threads()
                        .workers(
                                "volume-" + volume.uuid().substring(0, 8),
                                store.threads(),
                                store.queueBound() + QUEUE_SPARE),
                store.threads(),
                store.queueBound(),
                environment.clock());
        return Optional.of(new ServedVolume(
                volume, queue, staged.map(io -> new StagedVolume(io, delays.orElseThrow(), environment.clock()))));
    }

    private DirectoryVolumeIo openDisk(Path directory, boolean mayFormat, Optional<FileSystemSync> fileSystem)
            throws IOException {
        int openFiles = config.store().openFiles();
        if (!mayFormat) {
            DirectoryVolumeIo plain = DirectoryVolumeIo.existing(directory, openFiles, fileSystem);
            if (!config.store().direct()) {
                return plain;
            }
            plain.close();
        }
        return config.store().direct()
                ? DirectoryVolumeIo.direct(directory, openFiles, fileSystem)
                : new DirectoryVolumeIo(directory, openFiles, fileSystem);
    }

    /**
     * Puts the journal before a volume, with what an earlier process staged there.
     *
     * @param syncsAll whether all that was written to the device can be synced at once
     * @param fresh uuid of the volume if there is none yet
     */
    private Optional<StagedVolumeIo> stage(
            VolumeIo disk, Path directory, boolean mayFormat, boolean syncsAll, UUID fresh) throws IOException {
        if (!mayFormat && !Volume.existsOn(disk)) {
            return Optional.empty();
        }
        if (config.store().journal().isEmpty()) {
            try {
                StagedVolumeIo.requireNoneNeeded(disk);
            } catch (IOException e) {
                disk.close();
                throw e;
            }
            return Optional.empty();
        }
        DatanodeConfig.JournalSettings settings = config.store().journal().get();
        try {
            JournalDirectory journals = JournalDirectory.at(settings.directory());
            journals.requireOtherDeviceThan(directory);
            long bytes = journals.bytes(settings.bytes(), config.volumes().size());
            String uuid = Volume.uuidOn(disk).orElse(fresh.toString());
            if (syncsAll) {
                disk.syncAll(List.of());
            }
            if (delays.isEmpty()) {
                delays = Optional.of(newDelays.get());
            }
            return Optional.of(StagedVolumeIo.open(
                    disk,
                    journals.of(uuid, settings.direct().orElse(false)),
                    JournalTerms.usual(bytes, journals.outlivesPower()),
                    syncsAll,
                    environment.clock(),
                    environment.randomness()));
        } catch (IOException | RuntimeException e) {
            disk.close();
            throw e;
        }
    }

    private VolumeIo withFaults(VolumeIo disk, Path directory) {
        return config.fault().on()
                ? new FaultyVolumeIo(disk, directory, new FaultFile(Path.of(config.home()), environment.clock()))
                : disk;
    }
}
