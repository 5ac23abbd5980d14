package io.ecfs.client.base;

import io.ecfs.message.Address;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Source of the bytes of chunks for reads. */
@FunctionalInterface
public interface ChunkSource {
    /**
     * Chunk bytes [offset, offset + bytes), which the chunk must have.
     *
     * @param spare whether they are needed only if others are late; see {@link ChunkRequest.ReadChunk}
     */
    record ChunkRead(ChunkLocation location, long offset, int bytes, BlockToken token, boolean spare) {}

    /**
     * Reads chunk bytes.
     *
     * @return verified bytes that cover the range, owned by the caller; fails with {@link io.ecfs.error.EcfsException},
     *     as {@link ChunkClient#read} does. May be cancelled
     */
    CompletableFuture<ChunkBytes> read(ChunkRead read);

    /**
     * Starts several reads together; each succeeds, fails and is cancelled alone. Over the network those of one
     * datanode go in one message.
     *
     * @return for each read its bytes, as by {@link #read}
     */
    default List<CompletableFuture<ChunkBytes>> readAll(List<ChunkRead> reads) {
        return reads.stream().map(this::read).toList();
    }

    /** Reads from the datanodes, over the network. */
    static ChunkSource network(ChunkClient datanodes) {
        return new ChunkSource() {
            @Override
            public CompletableFuture<ChunkBytes> read(ChunkRead read) {
                return datanodes.read(read.location().address(), request(read));
            }

            @Override
            public List<CompletableFuture<ChunkBytes>> readAll(List<ChunkRead> reads) {
                Map<Address, List<Integer>> byDatanode = new LinkedHashMap<>();
                List<CompletableFuture<ChunkBytes>> results = new ArrayList<>(reads.size());
                for (int i = 0; i < reads.size(); i++) {
                    byDatanode
                            .computeIfAbsent(reads.get(i).location().address(), address -> new ArrayList<>())
                            .add(i);
                    results.add(null); // set below
                }
                byDatanode.forEach((datanode, theirs) -> {
                    List<CompletableFuture<ChunkBytes>> answers = datanodes.readAll(
                            datanode,
                            theirs.stream().map(i -> request(reads.get(i))).toList());
                    for (int i = 0; i < answers.size(); i++) {
                        results.set(theirs.get(i), answers.get(i));
                    }
                });
                return results;
            }
        };
    }

    private static ChunkRequest.ReadChunk request(ChunkRead read) {
        ChunkLocation location = read.location();
        return new ChunkRequest.ReadChunk(
                location.chunk(), location.volume(), read.offset(), read.bytes(), read.token(), read.spare());
    }
}
