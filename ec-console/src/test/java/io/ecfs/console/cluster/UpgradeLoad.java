package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One writer that goes on until it is closed: files of many lengths, some synced while they are written, some replaced
 * and renamed, an earlier one read and compared after each. What it was told to be closed is remembered with its
 * content. The first failure ends it.
 */
final class UpgradeLoad implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** Then it begins anew with the first, which is replaced. */
    private static final int FILES = 150;

    private static final int[] LENGTHS = {1, 4096, 65_537, 131_072, 400_001};

    private final EcfsClient client;
    private final Map<String, Long> seeds = new ConcurrentSkipListMap<>();
    private final AtomicLong rounds = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;
    private volatile Throwable failure;

    private UpgradeLoad(EcfsClient client) {
        this.client = client;
        this.thread = new Thread(this::run, "upgrade-load");
    }

    static UpgradeLoad start(EcfsClient client) {
        UpgradeLoad load = new UpgradeLoad(client);
        load.thread.start();
        return load;
    }

    private static byte[] content(long seed) {
        return Pattern.bytes(seed, LENGTHS[(int) (seed % LENGTHS.length)]);
    }

    private void run() {
        try {
            for (long seed = 1; !closed; seed++) {
                round(seed);
                rounds.incrementAndGet();
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failure = e;
        }
    }

    private void round(long seed) throws IOException {
        String path = "/load/" + seed % FILES;
        String made = path + ".new";
        byte[] bytes = content(seed);
        try (EcfsOutputStream out = Await.result(
                client.create(new FilePath(made), CreateOptions.defaults().withOverwrite(true)))) {
            out.write(bytes, 0, bytes.length / 2);
            if (seed % 3 == 0) {
                out.hsync();
            }
            out.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
        }
        synchronized (this) {
            Await.result(client.rename(new FilePath(made), new FilePath(path), true));
            seeds.put(path, seed);
        }
        long earlier = seed - seed % 7;
        if (earlier > 0 && seed - earlier < FILES) {
            verify("/load/" + earlier % FILES, earlier);
        }
    }

    private void verify(String path, long seed) throws IOException {
        assertThat(TestCluster.read(client, path)).as(path + " of " + seed).isEqualTo(content(seed));
    }

    /** Every file has the content with which it was closed last. */
    synchronized void verifyAll() throws IOException {
        for (Map.Entry<String, Long> file : seeds.entrySet()) {
            verify(file.getKey(), file.getValue());
        }
    }

    /** It has not failed, and does not hang either. */
    void requireProgress() {
        long before = rounds.get();
        await("the load goes on").atMost(PATIENCE).until(() -> failure != null || rounds.get() > before + 1);
        if (failure != null) {
            throw new AssertionError("the load failed after " + rounds.get() + " rounds", failure);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        if (failure != null) {
            throw new AssertionError("the load failed after " + rounds.get() + " rounds", failure);
        }
    }
}
