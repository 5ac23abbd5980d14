package io.ecfs.client.blocks;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Blocks by key in one directory, whose policy is their code (EC-Store, section V). No call blocks; stages complete on
 * threads that must not be blocked, and fail with {@link EcfsException}. Keys are strings of any characters that fit
 * into a name of 255 bytes. Safe for use by several threads; has no resources to close except its client.
 */
public final class BlockStore {
    private final EcfsClient client;
    private final FilePath directory;
    private final CreateOptions creation;
    private final OptionalInt delta;

    /**
     * Result of a read of several blocks.
     *
     * @param blocks bytes of the keys that could be read, in the order asked
     * @param failures failures of the others: {@code NOT_FOUND} when there is no such block
     */
    public record Blocks(Map<String, ByteBuffer> blocks, Map<String, EcfsException> failures) {
        public Blocks {
            blocks = Collections.unmodifiableMap(new LinkedHashMap<>(blocks));
            failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        }
    }

    private BlockStore(EcfsClient client, FilePath directory, CreateOptions creation, OptionalInt delta) {
        this.client = Objects.requireNonNull(client, "client");
        this.directory = Objects.requireNonNull(directory, "directory");
        this.creation = creation;
        this.delta = delta;
    }

    /**
     * Blocks in a directory, which is created with the first one. A put completes before the block is synced, and
     * survives m losses.
     */
    public static BlockStore in(EcfsClient client, FilePath directory) {
        return new BlockStore(client, directory, CreateOptions.defaults().withOverwrite(true), OptionalInt.empty());
    }

    /** This store, whose puts complete when the block is synced to the datanodes' disks. */
    public BlockStore synced() {
        return new BlockStore(client, directory, creation.withSync(true), delta);
    }

    /** This store, whose reads request so many more chunks of each block than needed. */
    public BlockStore bindingLate(int more) {
        return new BlockStore(client, directory, creation, OptionalInt.of(more));
    }

    /**
     * Writes a block, replacing one of this key. Until it completes, readers may find the old one, none, or a part; use
     * a new key to avoid that. Two entries in the namenode's log.
     *
     * @param bytes remaining bytes; they must not be changed before the stage completes
     */
    public CompletionStage<Void> put(String key, ByteBuffer bytes) {
        FilePath path;
        try {
            path = path(key);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        ByteBuffer source = bytes.duplicate();
        return client.create(path, creation)
                .thenCompose(stream -> client.apart(() -> write(stream, source)).whenComplete((written, failure) -> {
                    if (failure != null) {
                        stream.abortLater();
                    }
                }))
                .thenCompose(EcfsOutputStream::closeLater);
    }

    /** As {@link #put(String, ByteBuffer)}. */
    public CompletionStage<Void> put(String key, byte[] bytes) {
        return put(key, ByteBuffer.wrap(bytes));
    }

    private static EcfsOutputStream write(EcfsOutputStream stream, ByteBuffer source) throws IOException {
        stream.write(source);
        return stream;
    }

    /** As {@link #read(Collection)}. */
    public CompletionStage<Blocks> read(String... keys) {
        return read(List.of(keys));
    }

    /**
     * Reads blocks as one request, whose chunks are chosen together; see {@link EcfsClient#readAll(List)}.
     *
     * @return fails with {@code INVALID_ARGUMENT} only, for invalid keys, for more than 4,096 blocks, and for too many
     *     chunks to bind late; a block of more than 1 GiB fails alone. May be cancelled as a future
     */
    public CompletionStage<Blocks> read(Collection<String> keys) {
        Set<String> each = new LinkedHashSet<>(keys);
        Map<FileRange, String> ranges = new LinkedHashMap<>();
        try {
            for (String key : each) {
                ranges.put(FileRange.whole(path(key)), key);
            }
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        List<FileRange> asked = List.copyOf(ranges.keySet());
        CompletableFuture<List<RangeResult>> read =
                delta.isPresent() ? client.readAll(asked, delta.getAsInt()) : client.readAll(asked);
        return CancellationScope.whenCancelled(
                read.thenApply(results -> sorted(results, ranges)), () -> read.cancel(false));
    }

    private static Blocks sorted(List<RangeResult> results, Map<FileRange, String> ranges) {
        Map<String, ByteBuffer> blocks = new LinkedHashMap<>();
        Map<String, EcfsException> failures = new LinkedHashMap<>();
        for (RangeResult result : results) {
            String key = ranges.get(result.range());
            if (result instanceof RangeResult.Read read) {
                blocks.put(key, read.bytes());
            }
            if (result instanceof RangeResult.Failed failed) {
                failures.put(key, failed.failure());
            }
        }
        return new Blocks(blocks, failures);
    }

    /** Deletes a block; fails with {@code NOT_FOUND} when there is none. */
    public CompletionStage<Void> delete(String key) {
        try {
            return client.delete(path(key), false);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Path of a block's file. */
    public FilePath path(String key) throws EcfsException {
        try {
            return directory.child(BlockNames.of(key));
        } catch (IllegalArgumentException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "no block in " + directory + " can have this key: " + e.getMessage());
        }
    }
}
