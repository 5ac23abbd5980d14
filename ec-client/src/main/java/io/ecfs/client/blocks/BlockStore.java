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
 * Blocks by key in one directory, whose policy is their code (EC-Store, section V). Nothing blocks; stages complete on
 * threads that must not be blocked, and fail with {@link EcfsException}. Keys are strings of any characters, as long as
 * a name of 255 bytes holds them. Safe for use by several threads; holds nothing to close beside its client.
 */
public final class BlockStore {
    private final EcfsClient client;
    private final FilePath directory;
    private final CreateOptions creation;
    private final OptionalInt delta;

    /**
     * What a read of several blocks brought.
     *
     * @param blocks bytes of the keys that could be read, in the order asked
     * @param failures why the others could not: {@code NOT_FOUND} where there is no such block
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
     * Blocks in a directory, which is made with the first one. A put returns before the datanodes' disks have it, and
     * survives m losses.
     */
    public static BlockStore in(EcfsClient client, FilePath directory) {
        return new BlockStore(client, directory, CreateOptions.defaults().withOverwrite(true), OptionalInt.empty());
    }

    /** The same, whose puts complete when the block is on the datanodes' disks. */
    public BlockStore synced() {
        return new BlockStore(client, directory, creation.withSync(true), delta);
    }

    /** The same, whose reads ask so many more chunks of each block than suffice. */
    public BlockStore bindingLate(int more) {
        return new BlockStore(client, directory, creation, OptionalInt.of(more));
    }

    /**
     * Writes a block, in the place of one of this key. Until it is there, readers may find the old one, none, or a
     * part; whoever needs more puts under a new key. Two entries in the namenode's log.
     *
     * @param bytes what remains in it; it must not be changed before the stage completes
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
     * @return fails with {@code INVALID_ARGUMENT} only, for keys that cannot be, for more than 4,096 blocks, and for
     *     too many chunks to bind late; a block of more than 1 GiB fails alone. Cancel it as a future to give up
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
            } else if (result instanceof RangeResult.Failed failed) {
                failures.put(key, failed.failure());
            }
        }
        return new Blocks(blocks, failures);
    }

    /** Deletes a block; fails with {@code NOT_FOUND} where there is none. */
    public CompletionStage<Void> delete(String key) {
        try {
            return client.delete(path(key), false);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The file that a block is. */
    public FilePath path(String key) throws EcfsException {
        try {
            return directory.child(BlockNames.of(key));
        } catch (IllegalArgumentException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "no block in " + directory + " can have this key: " + e.getMessage());
        }
    }
}
