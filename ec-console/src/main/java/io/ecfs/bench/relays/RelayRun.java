package io.ecfs.bench.relays;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.Crew;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * The files of one case. All writers have written half of theirs, and so have begun a relay, before any goes on: so all
 * relays are there at once.
 */
final class RelayRun implements AutoCloseable {
    private static final int READERS = 16;
    private static final int DIRECTORY_MODE = 0755;

    private final RelayPlan plan;
    private final FilePath directory;
    private final Content content;
    private final Crew crew;
    private final List<EcfsClient> clients = new ArrayList<>();

    /** @param config of the clients */
    RelayRun(RelayPlan plan, String name, String uri, ClientConfig config, Content content, Crew crew)
            throws IOException {
        this.plan = plan;
        this.directory = new FilePath("/relays-" + name);
        this.content = content;
        this.crew = crew;
        try {
            for (int i = 0; i < plan.clients(); i++) {
                clients.add(EcfsClient.connect(ClusterUri.parse(uri), config, Identity.ofThisProcess()));
            }
            Await.result(clients.get(0).mkdirs(directory, DIRECTORY_MODE, true));
            Await.result(clients.get(0).setPolicy(directory, Optional.of(plan.policy())));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Writes all files. */
    void write() throws Exception {
        CountDownLatch halves = new CountDownLatch(plan.writers());
        crew.run(plan.writers(), writer -> {
            boolean counted = false;
            try (EcfsOutputStream out = Await.result(client(writer).create(path(writer), CreateOptions.defaults()))) {
                int half = plan.fileBytes() / 2;
                write(out, writer, 0, half);
                counted = true;
                halves.countDown();
                halves.await();
                write(out, writer, half, plan.fileBytes());
            } finally {
                if (!counted) {
                    halves.countDown(); // the others go on, and this failure ends the run
                }
            }
        });
    }

    /** Writes the bytes [from, to) of a file. */
    private void write(EcfsOutputStream out, int writer, int from, int to) throws IOException {
        for (int at = from; at < to; ) {
            int inSlice = at % Content.SLICE;
            int length = Math.min(Content.SLICE - inSlice, to - at);
            out.write(content.pool(), content.offset(writer, at / Content.SLICE) + inSlice, length);
            at += length;
        }
    }

    /** Compares all files with what was written. */
    void readBack() throws Exception {
        crew.each(
                plan.writers(),
                Math.min(READERS, plan.writers()),
                writer -> new BenchFiles(client(writer), content, false)
                        .read(path(writer), writer, plan.fileBytes(), true, BenchFiles.Timing.NONE));
    }

    Map<ErrorCode, Long> fallbacks() {
        Map<ErrorCode, Long> sums = new EnumMap<>(ErrorCode.class);
        clients.forEach(
                client -> client.relayFallbacks().forEach((reason, count) -> sums.merge(reason, count, Long::sum)));
        return sums;
    }

    private EcfsClient client(int writer) {
        return clients.get(writer % clients.size());
    }

    private FilePath path(int writer) {
        return new FilePath(directory.text() + "/" + writer);
    }

    @Override
    public void close() {
        clients.forEach(EcfsClient::close);
    }
}
