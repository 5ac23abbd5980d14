package io.ecfs.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
    private final BufferPool pool = new BufferPool("cells", 1000, true);

    @Test
    void aLoanEndsWithTheLastReleaseWhereverItHappens() throws EcfsException {
        ByteBuf buffer = pool.allocate(600);
        assertThat(buffer.isDirect()).isTrue();
        assertThat(buffer.capacity()).isEqualTo(600);
        assertThat(buffer.readableBytes()).isZero();
        buffer.writeZero(600);
        ByteBuf slice = buffer.retainedSlice(100, 50);
        assertThat(buffer.release()).isFalse();
        assertThat(pool.loans()).isEqualTo(1);
        assertThat(pool.loanedBytes()).isEqualTo(600);
        assertThat(slice.release()).isTrue();
        assertThat(pool.loans()).isZero();
        assertThat(pool.loanedBytes()).isZero();
        pool.close();
    }

    @Test
    void useAfterTheReleaseAndAReleaseTooManyAreErrors() throws EcfsException {
        ByteBuf buffer = pool.allocate(10);
        buffer.release();
        assertThatThrownBy(() -> buffer.writeByte(1)).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(buffer::release).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(pool.loans()).isZero();
    }

    @Test
    // HDDS-7304, HDDS-15341
    void returnedMemoryIsPoisoned() throws EcfsException {
        ByteBuf buffer = pool.allocate(100);
        ByteBuffer kept = buffer.writeZero(100).nioBuffer();
        buffer.release();
        for (int i = 0; i < 100; i++) {
            assertThat(kept.get(i)).isEqualTo(BufferPool.POISON);
        }
    }

    @Test
    void aFullPoolMakesWaitOrRefuses() throws Exception {
        ByteBuf first = pool.allocate(700);
        assertThatThrownBy(() -> pool.allocate(400))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY))
                .hasMessageContaining("700 of 1000");
        var waiting = pool.acquire(400);
        assertThat(waiting).isNotDone();
        first.release();
        assertThat(waiting).isCompleted();
        waiting.get().release();
        assertThat(pool.loans()).isZero();
    }

    @Test
    void whoStopsWaitingTakesNothing() throws EcfsException {
        ByteBuf first = pool.allocate(1000);
        var waiting = pool.acquire(400);
        var next = pool.acquire(1000);
        assertThat(waiting.cancel(false)).isTrue();
        first.release();
        assertThat(next).isCompleted();
        next.join().release();
        assertThat(pool.loanedBytes()).isZero();
    }

    @Test
    void moreThanThePoolHasFailsAtOnce() {
        assertThat(pool.acquire(1001)).isCompletedExceptionally();
        assertThatThrownBy(() -> pool.allocate(1001))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void closingWithALoanOutIsABug() throws EcfsException {
        ByteBuf buffer = pool.allocate(10);
        assertThatThrownBy(pool::close).isInstanceOf(Invariant.Broken.class).hasMessageContaining("1 loans");
        buffer.release();
        pool.close();
    }

    @Test
    void whoWaitsHearsWhenTheSystemHasNoMoreMemory() {
        BufferPool boundless = new BufferPool("boundless", Long.MAX_VALUE, false);
        List<CompletableFuture<ByteBuf>> asked = new ArrayList<>();
        CompletableFuture<ByteBuf> last;
        do {
            last = boundless.acquire(Integer.MAX_VALUE);
            asked.add(last);
        } while (last.isDone() && !last.isCompletedExceptionally());
        for (CompletableFuture<ByteBuf> buffer : asked) {
            buffer.thenAccept(ByteBuf::release);
        }
        assertThat(last).isCompletedExceptionally();
        assertThat(boundless.loanedBytes()).isZero();
    }
}
