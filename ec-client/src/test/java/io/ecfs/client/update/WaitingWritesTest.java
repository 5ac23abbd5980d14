package io.ecfs.client.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Who submits more than may wait is refused, and the file goes on. */
class WaitingWritesTest extends ClusterTest {
    private static final int PAGE = 4096;
    private static final int MANY = 100;

    @Test
    void writesBeyondTheBoundAreRefusedAtOnceAndThoseBeforeAreDone() throws IOException {
        start(8, config().with("update.waitingBytes=100KiB", "callTimeout=30s", "stallAfter=30s"));
        write(FILE, Policy.parse("rs-3-2-4k"), 100);
        CountDownLatch goesOn = new CountDownLatch(1);
        byte[] wanted = new byte[MANY * PAGE];
        int refused = 0;
        try (UpdatableFile file = Await.result(client.update(FILE, UpdateOptions.defaults()))) {
            cluster.fate(request -> {
                awaited(goesOn);
                return new Fate.Answered();
            });
            CompletableFuture<?>[] accepted = new CompletableFuture<?>[MANY];
            for (int i = 0; i < MANY; i++) {
                byte[] page = new byte[PAGE];
                Arrays.fill(page, (byte) i);
                accepted[i] = file.write((long) i * PAGE, ByteBuffer.wrap(page));
                if (accepted[i].isCompletedExceptionally()) {
                    EcfsException refusal = refusal(accepted[i]);
                    assertThat(refusal.code()).isEqualTo(ErrorCode.BUSY);
                    assertThat(refusal.getMessage()).contains("client.update.waitingBytes=102400");
                    accepted[i] = CompletableFuture.completedFuture(null);
                    refused++;
                } else {
                    System.arraycopy(page, 0, wanted, i * PAGE, PAGE);
                }
            }
            assertThat(refused).as("of %s", MANY).isBetween(MANY - 1 - (100 << 10) / PAGE, MANY - 1);
            assertThat(file.length()).as("without those that were refused").isLessThan(MANY * PAGE);
            goesOn.countDown();
            Await.result(CompletableFuture.allOf(accepted));
            int length = (int) file.length();
            assertThat(readAll(FILE)).isEqualTo(Arrays.copyOf(wanted, length));
            Await.result(file.write(0, ByteBuffer.wrap(new byte[] {1})));
        }
    }

    private static EcfsException refusal(CompletableFuture<?> call) {
        return catchThrowableOfType(EcfsException.class, () -> Await.result(call));
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
