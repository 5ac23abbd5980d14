package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class SliceBufferTest {
    private static final int BYTES = 64 << 10;
    private static final int ROUNDS = 300;

    /**
     * Answers come on as many threads as there are connections; a buffer that keeps a position between them mixes
     * sources up.
     */
    @Test
    void sourcesThatArriveOnSeveralThreadsAtOnceDoNotDisturbEachOther() throws Exception {
        Recipe recipe = Recipe.of(
                        ErasureCodes.create(CodeSpec.parse("rs-4-2"), Kernels.java()), 2, ChunkSet.of(0, 1, 3, 4, 5))
                .orElseThrow();
        Slice slice = new Slice(0, BYTES, BYTES, true);
        List<Integer> sources = new ArrayList<>();
        recipe.sources().forEach(sources::add);
        ExecutorService threads = Executors.newFixedThreadPool(sources.size());
        BufferPool pool = new BufferPool("test", 64 << 20);
        ByteBuf memory = pool.acquire(SliceBuffer.bytes(slice, recipe)).join();
        try {
            SliceBuffer buffer = new SliceBuffer(slice, recipe, memory);
            CyclicBarrier together = new CyclicBarrier(sources.size());
            List<CompletableFuture<Void>> puts = new ArrayList<>();
            for (int source : sources) {
                puts.add(CompletableFuture.runAsync(() -> put(buffer, source, together), threads));
            }
            CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
            for (int i = 0; i < sources.size(); i++) {
                for (int at = 0; at < BYTES; at++) {
                    assertThat(memory.getByte(i * BYTES + at))
                            .as("byte %s of source %s", at, sources.get(i))
                            .isEqualTo(value(sources.get(i), at));
                }
            }
        } finally {
            threads.shutdownNow();
            memory.release();
            pool.close();
        }
    }

    private static byte value(int source, int at) {
        return (byte) (31 * source + at + (at >> 8));
    }

    private static void put(SliceBuffer buffer, int source, CyclicBarrier together) {
        int piece = 4096;
        byte[] bytes = new byte[BYTES];
        for (int at = 0; at < BYTES; at++) {
            bytes[at] = value(source, at);
        }
        ByteBuf from = Unpooled.directBuffer(piece);
        try {
            together.await();
            for (int round = 0; round < ROUNDS; round++) {
                for (int at = 0; at < BYTES; at += piece) {
                    from.setBytes(0, bytes, at, piece).setIndex(0, piece);
                    buffer.put(source, at, from);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            from.release();
        }
    }
}
