package io.ecfs.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private final MemoryBudget budget = new MemoryBudget("test", 100);

    @Test
    void grantsWhatIsThereAndQueuesTheRestInOrder() {
        var first = budget.acquire(60);
        var large = budget.acquire(90);
        var small = budget.acquire(10);
        assertThat(first).isCompleted();
        assertThat(large).isNotDone();
        assertThat(small).as("would fit, but its turn has not come").isNotDone();
        assertThat(budget.tryAcquire(1)).as("nobody overtakes").isFalse();
        budget.release(60);
        assertThat(large).isCompleted();
        assertThat(small).isCompleted();
        assertThat(budget.usedBytes()).isEqualTo(100);
    }

    @Test
    void othersPassAPatientOneForAsManyBytesAsItAsksFor() {
        budget.acquire(60);
        var patient = budget.acquirePatiently(50);
        assertThat(budget.acquire(40)).as("there is room for it").isCompleted();
        var tooMuch = budget.acquire(20);
        var behind = budget.acquire(5);
        budget.release(40);
        assertThat(patient).isNotDone();
        assertThat(tooMuch).as("it has let 40 of 50 pass").isNotDone();
        assertThat(behind).as("nobody overtakes one that is not patient").isNotDone();
        tooMuch.cancel(false);
        assertThat(behind).isCompleted();
        assertThat(budget.acquire(5)).isCompleted();
        var last = budget.acquire(1);
        assertThat(last).as("it has let 50 of 50 pass").isNotDone();
        budget.release(20);
        assertThat(patient).isCompleted();
        assertThat(last).isNotDone();
        budget.release(50);
        assertThat(last).isCompleted();
        assertThat(budget.usedBytes()).isEqualTo(51);
    }

    @Test
    void patientOnesDoNotPassEachOtherAndOthersPassAll() {
        budget.acquire(60);
        var first = budget.acquirePatiently(50);
        var second = budget.acquirePatiently(10);
        assertThat(second).isNotDone();
        assertThat(budget.acquire(8)).isCompleted();
        var third = budget.acquire(3);
        assertThat(third).as("the second has let 8 of 10 pass").isNotDone();
        budget.release(10);
        assertThat(first).isNotDone();
        budget.release(8);
        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        budget.release(50);
        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
    }

    @Test
    void aCancelledWaiterLetsTheNextOnesGoOn() {
        assertThat(budget.tryAcquire(50)).isTrue();
        var tooMuch = budget.acquire(60);
        var fits = budget.acquire(50);
        assertThat(tooMuch.cancel(false)).isTrue();
        assertThat(fits).isCompleted();
        assertThat(budget.waiting()).isZero();
        assertThat(fits.cancel(false)).as("granted: to be released").isFalse();
        assertThat(budget.usedBytes()).isEqualTo(100);
    }

    @Test
    void moreThanTheWholeBudgetFailsAtOnce() {
        assertThat(budget.acquire(101)).isCompletedExceptionally();
        assertThatThrownBy(() -> budget.acquire(101).join())
                .cause()
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("101")
                .hasMessageContaining("test")
                .hasMessageContaining("100");
    }

    @Test
    void givingBackTooMuchIsABug() {
        assertThat(budget.tryAcquire(10)).isTrue();
        assertThatThrownBy(() -> budget.release(11)).isInstanceOf(Invariant.Broken.class);
        assertThat(budget.usedBytes()).isEqualTo(10);
    }

    @Test
    void threadsThatWaitCancelAndReleaseNeverExceedTheBudget() throws Exception {
        AtomicLong out = new AtomicLong();
        AtomicLong most = new AtomicLong();
        int threads = 4;
        CountDownLatch done = new CountDownLatch(threads);
        List<Thread> started = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            long seed = t;
            Thread thread = new Thread(() -> {
                Random random = new Random(seed);
                for (int i = 0; i < 3000; i++) {
                    int bytes = random.nextInt(101);
                    CompletableFuture<Void> granted =
                            random.nextBoolean() ? budget.acquire(bytes) : budget.acquirePatiently(bytes);
                    if (random.nextInt(3) == 0 && granted.cancel(false)) {
                        continue;
                    }
                    granted.join();
                    most.accumulateAndGet(out.addAndGet(bytes), Math::max);
                    out.addAndGet(-bytes);
                    budget.release(bytes);
                }
                done.countDown();
            });
            thread.setDaemon(true);
            thread.start();
            started.add(thread);
        }
        assertThat(done.await(2, TimeUnit.MINUTES)).isTrue();
        assertThat(most.get()).isLessThanOrEqualTo(100);
        assertThat(budget.usedBytes()).isZero();
        assertThat(budget.waiting()).isZero();
        assertThat(started).hasSize(threads);
    }
}
