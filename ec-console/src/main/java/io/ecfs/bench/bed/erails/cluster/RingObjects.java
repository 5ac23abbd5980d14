package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.bench.bed.cluster.StoredBlocks;
import io.ecfs.bench.bed.erails.RequestStreams;
import io.ecfs.client.blocks.BlockStore;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Objects of a ring: some that were stored before and are read, compared with what was stored each time, and new ones
 * that are written. Its state belongs to one thread, on which requests end.
 */
final class RingObjects implements RequestStreams.Requests {
    private static final FilePath WRITTEN = new FilePath("/written");

    private final RingCluster cluster;
    private final StoredBlocks stored;
    private final int count;
    private final ByteBuffer content;
    private final SplittableRandom random;
    private final Scheduler loop;
    private long written;
    private Optional<EcfsException> failure = Optional.empty();

    private RingObjects(
            RingCluster cluster,
            StoredBlocks stored,
            int count,
            ByteBuffer content,
            SplittableRandom random,
            Scheduler loop) {
        this.cluster = cluster;
        this.stored = stored;
        this.count = count;
        this.content = content;
        this.random = random;
        this.loop = loop;
    }

    /** Stores objects to read. */
    static RingObjects put(RingCluster cluster, int count, int bytes, SplittableRandom random, Scheduler loop)
            throws IOException {
        int[] sizes = new int[count];
        Arrays.fill(sizes, bytes);
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        return new RingObjects(
                cluster, StoredBlocks.put(cluster.client(), sizes), count, ByteBuffer.wrap(content), random, loop);
    }

    @Override
    public void read(Runnable done) {
        int[] one = {random.nextInt(count)};
        stored.read(cluster.client(), one, 0)
                .whenComplete((results, failed) -> loop.execute(() -> {
                    try {
                        if (failed != null) {
                            throw EcfsException.of(failed);
                        }
                        stored.check(one, results);
                    } catch (EcfsException e) {
                        fail(e);
                    }
                    done.run();
                }));
    }

    @Override
    public void write(Runnable accepted) {
        store().put(key(written++), content)
                .whenComplete((done, failed) -> loop.execute(() -> {
                    if (failed != null) {
                        fail(EcfsException.of(failed));
                    }
                    accepted.run();
                }));
    }

    private BlockStore store() {
        return BlockStore.in(cluster.client(), WRITTEN);
    }

    private void fail(EcfsException failed) {
        failure = failure.or(() -> Optional.of(failed));
    }

    private static String key(long object) {
        return "object" + object;
    }

    /** The first one. */
    Optional<EcfsException> failure() {
        return failure;
    }

    /**
     * Reads back the latest that were written, when no request is under way.
     *
     * @throws EcfsException {@code CHUNK_CORRUPT} for other bytes than were written
     */
    void checkLatest(int most) throws IOException {
        for (long object = Math.max(0, written - most); object < written; object++) {
            String key = key(object);
            BlockStore.Blocks read = Await.result(store().read(List.of(key)).toCompletableFuture());
            if (!content.equals(read.blocks().get(key))) {
                throw new EcfsException(
                        ErrorCode.CHUNK_CORRUPT,
                        key + " was read with other bytes than were written: " + read.failures());
            }
        }
    }
}
