package io.ecfs.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CellAllocatorTest {
    private static final int CELL = 1 << 20;

    private final RetainedMemory memory = new RetainedMemory(4L * CELL);
    private final CellAllocator allocator = new CellAllocator(memory);

    @Test
    void aLargeBufferIsMadeOfTheMemoryThatCameBackLast() {
        ByteBuf first = allocator.directBuffer(CELL, CELL);
        first.setLong(CELL - 8, 0x1234_5678_9abc_def0L);
        first.release();
        ByteBuf second = allocator.directBuffer(CELL - 100, CELL - 100);
        assertThat(second.readableBytes()).isZero();
        assertThat(second.capacity()).isEqualTo(CELL - 100);
        assertThat(memory.retainedBytes()).isZero();
        second.release();
        assertThat(memory.retainedBytes()).isEqualTo(CELL);
    }

    @Test
    void buffersThatAreOutShareNoMemory() {
        List<ByteBuf> buffers = IntStream.range(0, 10)
                .mapToObj(i -> allocator.directBuffer(CELL, CELL))
                .toList();
        for (int i = 0; i < 10; i++) {
            while (buffers.get(i).isWritable()) {
                buffers.get(i).writeLong(i);
            }
        }
        for (int i = 0; i < 10; i++) {
            while (buffers.get(i).isReadable()) {
                assertThat(buffers.get(i).readLong()).isEqualTo(i);
            }
        }
        assertThat(allocator.usedBytes()).isEqualTo(10L * CELL);
        buffers.forEach(ByteBuf::release);
        assertThat(allocator.usedBytes()).isZero();
    }

    @Test
    void whatIsKeptStaysWithinTheBoundAndTheSizeNobodyWantsGoesFirst() {
        List<ByteBuf> old = IntStream.range(0, 4)
                .mapToObj(i -> allocator.directBuffer(CELL, CELL))
                .toList();
        old.forEach(ByteBuf::release);
        assertThat(memory.retainedBytes()).isEqualTo(4L * CELL);
        allocator.directBuffer(2 * CELL, 2 * CELL).release();
        assertThat(memory.retainedBytes()).isEqualTo(4L * CELL);
        ByteBuf again = allocator.directBuffer(2 * CELL, 2 * CELL);
        assertThat(memory.retainedBytes())
                .as("the two that fit beside the new size")
                .isEqualTo(2L * CELL);
        again.release();
    }

    @Test
    void aPieceIsAtMostAnEighthLargerThanItsBuffer() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 10_000; i++) {
            int bytes = random.nextInt(1, 1 << 30);
            assertThat(RetainedMemory.pieceBytes(bytes)).isBetween(bytes, bytes + bytes / 8 + 1);
        }
        assertThat(RetainedMemory.pieceBytes(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void smallBuffersAndThoseThatMayGrowAreNettysOwn() {
        ByteBuf growing = allocator.directBuffer(CELL, 2 * CELL);
        growing.capacity(2 * CELL);
        growing.release();
        allocator.directBuffer(100, 100).release();
        assertThat(memory.retainedBytes()).isZero();
    }
}
