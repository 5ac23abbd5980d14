package io.ecfs.client.base;

import io.ecfs.config.ConfigException;
import io.ecfs.config.ConfigReader;
import io.ecfs.layout.EncodingSide;
import io.ecfs.message.DatanodeId;
import io.ecfs.wire.tls.ClientTls;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The bounds of one client.
 *
 * @param callTimeout of one request to a namenode or datanode, from now to its answer
 * @param namenodeDeadline time for a call to find the leading namenode, with retries during safe mode and overload
 * @param retryPause first pause between attempts; it doubles, with jitter
 * @param retryPauseLimit longest such pause
 * @param leaseRenewal how often the leases of open files are renewed
 * @param writeBudgetBytes buffers of all writers together; at least one stripe of n cells for each policy in use
 * @param writeWindowStripes stripes that one writer may have under way, the one being filled not counted; 0: the next
 *     one is not begun before all of the one before is acknowledged
 * @param groupAttempts how many groups a writer tries to open with all chunks before it takes one with fewer
 * @param encode who encodes what this client writes; empty: as the directory says
 * @param master the datanode that encodes for this client wherever it has a chunk of the group, as the paper's fixed
 *     master; empty: another one of each group
 * @param pack how small files share groups
 * @param update bounds of files that are updated in place
 * @param stallAfter when a datanode that answers a writer nothing is given up, while enough others of its group go on
 * @param readBudgetBytes memory of all demand reads
 * @param readAheadBudgetBytes memory of all reads made ahead of streams
 * @param readAheadSpans how many spans a sequential stream reads ahead; 0: none
 * @param spanBytes of one chunk asked for at once in a long read; at least one cell is
 * @param lateAfter when a chunk that has not answered is replaced by others at the latest
 * @param hedge when that is done earlier
 * @param plan how reads of several blocks choose their chunks
 * @param local when chunks of this machine are read from their files
 * @param suspicion how long a datanode that failed to answer is read last, and avoided by writers
 * @param budgetWait how long to wait for memory before giving up with {@code BUSY}
 * @param codecThreads threads that decode
 * @param networkThreads event loops of the client's connections
 * @param tls for clusters whose daemons have {@code wire.tls}; empty: plain
 * @param context of the program, or of the person that it acts for, for the namenodes' audit log (HDFS: CallerContext);
 *     printable ASCII, may be empty
 */
public record ClientConfig(
        Duration callTimeout,
        Duration namenodeDeadline,
        Duration retryPause,
        Duration retryPauseLimit,
        Duration leaseRenewal,
        long writeBudgetBytes,
        int writeWindowStripes,
        int groupAttempts,
        Optional<EncodingSide> encode,
        Optional<DatanodeId> master,
        PackConfig pack,
        UpdateConfig update,
        Duration stallAfter,
        long readBudgetBytes,
        long readAheadBudgetBytes,
        int readAheadSpans,
        int spanBytes,
        Duration lateAfter,
        HedgeConfig hedge,
        PlanConfig plan,
        LocalConfig local,
        Duration suspicion,
        Duration budgetWait,
        int codecThreads,
        int networkThreads,
        Optional<ClientTls> tls,
        String context) {
    /** Begins the last word of a {@link #context}: who acts for the client's user, such as {@code via:hue}. */
    public static final String VIA = "via:";

    /** Most characters of {@link #context}. */
    public static final int MOST_CONTEXT = 100;

    public ClientConfig {
        ConfigBounds.requirePositive("callTimeout", callTimeout);
        ConfigBounds.requirePositive("namenodeDeadline", namenodeDeadline);
        ConfigBounds.requirePositive("retryPause", retryPause);
        ConfigBounds.requirePositive("retryPauseLimit", retryPauseLimit);
        ConfigBounds.requirePositive("leaseRenewal", leaseRenewal);
        ConfigBounds.requireAtLeast("writeBudgetBytes", writeBudgetBytes, 1);
        ConfigBounds.requireAtLeast("writeWindowStripes", writeWindowStripes, 0);
        ConfigBounds.requireAtLeast("groupAttempts", groupAttempts, 1);
        ConfigBounds.requirePositive("stallAfter", stallAfter);
        ConfigBounds.requireAtLeast("readBudgetBytes", readBudgetBytes, 1);
        ConfigBounds.requireAtLeast("readAheadBudgetBytes", readAheadBudgetBytes, 1);
        ConfigBounds.requireAtLeast("readAheadSpans", readAheadSpans, 0);
        ConfigBounds.requireAtLeast("spanBytes", spanBytes, 4096);
        ConfigBounds.requirePositive("lateAfter", lateAfter);
        Objects.requireNonNull(encode, "encode");
        Objects.requireNonNull(master, "master");
        Objects.requireNonNull(pack, "pack");
        Objects.requireNonNull(update, "update");
        Objects.requireNonNull(hedge, "hedge");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(local, "local");
        ConfigBounds.requirePositive("suspicion", suspicion);
        ConfigBounds.requirePositive("budgetWait", budgetWait);
        ConfigBounds.requireAtLeast("codecThreads", codecThreads, 1);
        ConfigBounds.requireAtLeast("networkThreads", networkThreads, 1);
        Objects.requireNonNull(tls, "tls");
        if (context.length() > MOST_CONTEXT || context.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "context must be at most " + MOST_CONTEXT + " characters of printable ASCII");
        }
    }

    public static ClientConfig defaults() {
        return new ClientConfig(
                Duration.ofSeconds(30),
                Duration.ofSeconds(120),
                Duration.ofMillis(50),
                Duration.ofSeconds(2),
                Duration.ofSeconds(20),
                128L << 20,
                3,
                3,
                Optional.empty(),
                Optional.empty(),
                PackConfig.defaults(),
                UpdateConfig.defaults(),
                Duration.ofSeconds(10),
                128L << 20,
                128L << 20,
                3,
                1 << 20,
                Duration.ofSeconds(1),
                HedgeConfig.defaults(),
                PlanConfig.defaults(),
                LocalConfig.defaults(),
                Duration.ofSeconds(30),
                Duration.ofSeconds(120),
                2,
                2,
                Optional.empty(),
                "");
    }

    /**
     * A copy with some settings changed: {@code with("callTimeout=5s", "local.on=false")}.
     *
     * @throws ConfigException in one line: unknown key with the nearest, or bad value
     */
    public ClientConfig with(String... changes) {
        return ConfigReader.with(this, List.of(changes));
    }
}
