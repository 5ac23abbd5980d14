package io.ecfs.datanode.server;

import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.datanode.repair.RepairSettings;
import io.ecfs.datanode.scrub.ScrubSettings;
import io.ecfs.datanode.store.ReadErrorAllowance;
import io.ecfs.datanode.store.disk.FaultSettings;
import io.ecfs.datanode.store.disk.JournalDirectory;
import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.wire.WireOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Configuration of one datanode.
 *
 * @param home directory of its identity; not one of the volumes
 * @param joinToken file with the secret that proves to other daemons that this one belongs to the cluster;
 *     {@code join.token} in the home when empty
 * @param listen address of the chunk service; port 0 takes a free one
 * @param advertised address that others connect to, when that differs from {@code listen}; its port 0 means the port
 *     listened on
 * @param rack failure domain above the datanode, such as {@code /rack1}
 * @param namenodes all of them
 * @param volumes one directory a drive
 * @param status address of {@code /health} and {@code /metrics}; not served when empty
 */
public record DatanodeConfig(
        DatanodeId id,
        String home,
        Optional<Path> joinToken,
        Address listen,
        Optional<Address> advertised,
        String rack,
        List<Address> namenodes,
        List<String> volumes,
        Optional<Address> status,
        ControlSettings control,
        StoreSettings store,
        RepairSettings repair,
        RelaySettings relay,
        ScrubSettings scrub,
        FaultSettings fault,
        WireOptions wire) {
    public DatanodeConfig {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(home, "home");
        Objects.requireNonNull(joinToken, "joinToken");
        Objects.requireNonNull(listen, "listen");
        Objects.requireNonNull(advertised, "advertised");
        Objects.requireNonNull(rack, "rack");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(control, "control");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(repair, "repair");
        Objects.requireNonNull(relay, "relay");
        Objects.requireNonNull(scrub, "scrub");
        Objects.requireNonNull(fault, "fault");
        Objects.requireNonNull(wire, "wire");
        namenodes = List.copyOf(namenodes);
        volumes = List.copyOf(volumes);
        if (namenodes.isEmpty() || volumes.isEmpty()) {
            throw new IllegalArgumentException("datanode " + id + " needs at least one namenode and one volume, has "
                    + namenodes + " and " + volumes);
        }
        if (new HashSet<>(volumes).size() < volumes.size() || volumes.contains(home)) {
            throw new IllegalArgumentException("datanode " + id
                    + " needs a directory for each volume and another as home: " + home + ", " + volumes);
        }
    }

    /** Path of this datanode's join token. */
    public Path joinTokenFile() {
        return joinToken.orElseGet(() -> Path.of(home).resolve(JoinTokenFile.NAME));
    }

    /**
     * Journals of volumes of rings.
     *
     * @param directory on another device than all volumes, or in memory; one subdirectory a volume
     * @param bytes of the journal of one volume, best twice what it takes in one period; empty: as {@link
     *     JournalDirectory#bytes} has it
     * @param direct whether journals are written past the page cache; empty: they are not
     */
    public record JournalSettings(Path directory, Optional<Long> bytes, Optional<Boolean> direct) {
        public JournalSettings {
            Objects.requireNonNull(directory, "directory");
            Objects.requireNonNull(direct, "direct");
            bytes.filter(most -> most < JournalDirectory.LEAST_BYTES).ifPresent(most -> {
                throw new IllegalArgumentException(
                        "store.journal.bytes must be at least " + JournalDirectory.LEAST_BYTES + ", got " + most);
            });
        }
    }

    /**
     * The bounds of the store.
     *
     * @param reserveBytes with less free than this a volume takes no new chunk, and with less than half of it no bytes
     *     either. Chunks of rewrites may use the reserve: the leader places only those of cleaning there
     * @param openFiles most files that stay open on one volume
     * @param threads of one volume
     * @param queueBound requests that wait for one volume; past it {@code BUSY}
     * @param readBufferBytes for all reads under way
     * @param maxReadBytes in one read
     * @param syncInterval between two rounds that sync chunks that were closed without a sync; less than the namenodes'
     *     garbage.delay
     * @param showFiles whether clients of this machine may read published chunks from their files
     * @param localSocket socket that passes those files, open for reading, to clients of other users than this
     *     process's; absolute, in a directory that only this process's user may write to; empty: they read over the
     *     network
     * @param readErrors number of unreadable files within a period at which a volume counts as failed
     * @param journal where volumes of rings stage their changes; empty: they write at every position
     * @param direct whether volumes are read and written past the page cache; then no files are shown or sent
     */
    public record StoreSettings(
            long reserveBytes,
            int openFiles,
            int threads,
            int queueBound,
            long readBufferBytes,
            int maxReadBytes,
            Duration syncInterval,
            boolean showFiles,
            Optional<Path> localSocket,
            ReadErrorAllowance readErrors,
            Optional<JournalSettings> journal,
            boolean direct) {
        /** Without a journal, through the page cache. */
        public StoreSettings(
                long reserveBytes,
                int openFiles,
                int threads,
                int queueBound,
                long readBufferBytes,
                int maxReadBytes,
                Duration syncInterval,
                boolean showFiles,
                Optional<Path> localSocket,
                ReadErrorAllowance readErrors) {
            this(
                    reserveBytes,
                    openFiles,
                    threads,
                    queueBound,
                    readBufferBytes,
                    maxReadBytes,
                    syncInterval,
                    showFiles,
                    localSocket,
                    readErrors,
                    Optional.empty(),
                    false);
        }

        public StoreSettings {
            Objects.requireNonNull(journal, "journal");
            Objects.requireNonNull(localSocket, "localSocket");
            Objects.requireNonNull(readErrors, "readErrors");
            if (reserveBytes < 0
                    || openFiles < 1
                    || threads < 1
                    || queueBound < 1
                    || maxReadBytes < 1
                    || readBufferBytes < 2L * maxReadBytes) {
                throw new IllegalArgumentException("bounds of the store must be positive, and readBufferBytes "
                        + readBufferBytes + " at least twice maxReadBytes " + maxReadBytes);
            }
            if (syncInterval.isNegative() || syncInterval.isZero()) {
                throw new IllegalArgumentException("store.syncInterval must be positive, got " + syncInterval);
            }
        }

        public static StoreSettings defaults() {
            return new StoreSettings(
                    1L << 30,
                    512,
                    4,
                    4096,
                    256L << 20,
                    16 << 20,
                    Duration.ofSeconds(4),
                    true,
                    Optional.empty(),
                    ReadErrorAllowance.USUAL);
        }
    }
}
