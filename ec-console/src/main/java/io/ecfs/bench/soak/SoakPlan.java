package io.ecfs.bench.soak;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A soak: how long, how hard, with how little memory.
 *
 * @param calm between the end of one fault and the beginning of the next
 * @param seed of the load and of the order of faults
 */
public record SoakPlan(Policy policy, Duration length, Duration calm, int threads, long seed) {
    private static final int MOST_THREADS = 64;
    private static final Duration MOST = Duration.ofDays(7);
    private static final int NAMENODES = 3;

    /** Of a namenode's RocksDB: write buffer and block cache, as set below. */
    static final long STORE_BYTES = 32L << 20;

    /** A bound for what each daemon holds for its peers, far below the defaults. */
    private static final List<String> SMALL_DAEMONS = List.of(
            "namenode.wire.serverRequestBytes=32m",
            "namenode.wire.serverAnswerBytes=32m",
            "namenode.store.writeBufferBytes=16m",
            "namenode.store.blockCacheBytes=16m",
            "datanode.wire.serverRequestBytes=32m",
            "datanode.wire.serverAnswerBytes=32m",
            "datanode.store.readBufferBytes=32m",
            "datanode.repair.bufferBytes=32m",
            "namenode.settings.recovery.grace=20s");

    private static final List<String> SMALL_CLIENT =
            List.of("writeBudgetBytes=32m", "readBudgetBytes=32m", "readAheadBudgetBytes=16m");

    public SoakPlan {
        if (length.isNegative() || length.isZero() || length.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("--minutes must be above 0 and at most " + MOST.toMinutes());
        }
        if (calm.isNegative()) {
            throw new IllegalArgumentException("--calm must not be negative");
        }
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException("--threads must be from 1 to " + MOST_THREADS + ", got " + threads);
        }
    }

    public int namenodes() {
        return NAMENODES;
    }

    /** One to spare for writing while another is away, and one more. */
    public int datanodes() {
        return policy.chunks() + 2;
    }

    /** Overrides of the daemons' configuration, as for {@code ecfs up -D}. */
    public List<String> daemonSettings() {
        return SMALL_DAEMONS;
    }

    public ClientConfig client() throws IOException {
        return ConfigReader.read(ClientConfig.class, "soak", "", SMALL_CLIENT);
    }

    /** Most that lies on the datanodes' disks at one time, about. */
    public long storedBytes() {
        return 2L * threads * SoakLoad.MAX_FILE_BYTES * policy.chunks() / policy.dataChunks();
    }
}
