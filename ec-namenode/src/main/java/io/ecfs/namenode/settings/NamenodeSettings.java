package io.ecfs.namenode.settings;

import io.ecfs.layout.Policy;
import io.ecfs.namenode.history.HistoryBounds;
import io.ecfs.namenode.report.DatanodeTable.Silence;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the namenode's decisions; {@link #defaults} apply where the configuration sets none.
 * @param defaultPolicy of the root directory, when the cluster is formatted
 * @param superuser owner of the root directory, when the cluster is formatted
 * @param silence when a datanode is suspected; it is dead when {@code recovery.grace} has passed on top of that
 * @param leaseSoftLimit silence of a writer after which another client may take the file (HDFS: 60 s)
 * @param leaseHardLimit silence of a writer after which the namenode closes the file by itself (HDFS: 20 min)
 * @param leaseRecoveryWait how long the recovery of a file that its writer left open waits for datanodes that are alive
 *     and do not answer
 * @param leaseCloseWait how long the answer to a request to recover a lease waits for the recovery that it began; then
 *     it says that the file is still open
 * @param safeModeThreshold share of sealed groups that must have k chunks reported before a leader takes writes
 * @param safeModeDatanodes datanodes that must be live before
 * @param safeModeExtension how long after its start a namenode that leads and could take writes waits for the other
 *     registered datanodes
 * @param minFreeBytes a volume with less free space takes no new chunk; chunks of cleaning may use half of it
 * @param chunksPerVolume most chunks stored of one volume: larger reports are rejected
 * @param deletesPerHeartbeat most Delete orders for a volume in one answer
 * @param purgeBudget most rows that one log entry of a background deletion touches
 * @param garbage when the chunks of deleted files are deleted
 * @param tokenLife how long a client may use a block token
 * @param keyLife how long a token key is valid; a new one comes at half of it
 * @param keyActivation how long a new key waits before it signs, so that every datanode has it
 * @param tick interval of the leader's services
 * @param recovery when and how fast lost chunks are rebuilt
 * @param balance when chunks are moved from fuller volumes to emptier ones
 * @param mover how chunks are moved to where reading them costs less
 * @param parityCheck how often groups are read whole to compare the parity with the data
 * @param rewrite when packs are cleaned and extents joined
 * @param history bounds of the history
 */
public record NamenodeSettings(
        Policy defaultPolicy,
        String superuser,
        Silence silence,
        Duration leaseSoftLimit,
        Duration leaseHardLimit,
        Duration leaseRecoveryWait,
        Duration leaseCloseWait,
        double safeModeThreshold,
        int safeModeDatanodes,
        Duration safeModeExtension,
        long minFreeBytes,
        int chunksPerVolume,
        int deletesPerHeartbeat,
        int purgeBudget,
        GarbageSettings garbage,
        Duration tokenLife,
        Duration keyLife,
        Duration keyActivation,
        Duration tick,
        RecoverySettings recovery,
        BalanceSettings balance,
        MoverSettings mover,
        ParitySettings parityCheck,
        RewriteSettings rewrite,
        HistoryBounds history) {
    public NamenodeSettings {
        Objects.requireNonNull(defaultPolicy, "defaultPolicy");
        if (superuser.isEmpty()) {
            throw new IllegalArgumentException("superuser must not be empty");
        }
        if (leaseHardLimit.compareTo(leaseSoftLimit) < 0) {
            throw new IllegalArgumentException(
                    "lease hard limit " + leaseHardLimit + " is below the soft limit " + leaseSoftLimit);
        }
        if (leaseCloseWait.isNegative()) {
            throw new IllegalArgumentException("lease close wait must not be negative: " + leaseCloseWait);
        }
        if (!(safeModeThreshold >= 0 && safeModeThreshold <= 1)) {
            throw new IllegalArgumentException("safe mode threshold must be in [0, 1]: " + safeModeThreshold);
        }
        Objects.requireNonNull(garbage, "garbage");
        Objects.requireNonNull(recovery, "recovery");
        Objects.requireNonNull(balance, "balance");
        Objects.requireNonNull(mover, "mover");
        Objects.requireNonNull(parityCheck, "parityCheck");
        Objects.requireNonNull(rewrite, "rewrite");
        Objects.requireNonNull(history, "history");
        if (chunksPerVolume < 1 || deletesPerHeartbeat < 1 || purgeBudget < 1) {
            throw new IllegalArgumentException(
                    "chunks per volume, deletes per heartbeat and purge budget must be at least 1");
        }
        if (keyLife.compareTo(tokenLife.multipliedBy(2).plus(keyActivation)) < 0) {
            throw new IllegalArgumentException("a key must outlive two tokens and its activation, got key life "
                    + keyLife + " and token life " + tokenLife);
        }
    }

    public static NamenodeSettings defaults() {
        return defaults(Policy.parse("rs-6-3-1024k"), "root");
    }

    public static NamenodeSettings defaults(Policy defaultPolicy, String superuser) {
        return new NamenodeSettings(
                defaultPolicy,
                superuser,
                new Silence(Duration.ofSeconds(10)),
                Duration.ofSeconds(60),
                Duration.ofMinutes(20),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                0.999,
                1,
                Duration.ofSeconds(5),
                128L << 20,
                10_000_000,
                1000,
                1000,
                GarbageSettings.defaults(),
                Duration.ofHours(1),
                Duration.ofHours(48),
                Duration.ofMinutes(1),
                Duration.ofSeconds(1),
                RecoverySettings.defaults(),
                BalanceSettings.defaults(),
                MoverSettings.defaults(),
                ParitySettings.defaults(),
                RewriteSettings.defaults(),
                HistoryBounds.DEFAULT);
    }
}
