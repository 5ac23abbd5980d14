package io.ecfs.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After every test class of every module: no pool's buffer is still lent, and no Netty buffer was dropped without its
 * release. A buffer that is dropped may be seen only after a later class of the same JVM, which is then the one that
 * fails; what Netty says of the buffer tells where it came from. Only classes after which Netty has more buffers to watch
 * pay for a collection of garbage.
 *
 * <p>Classes that lose buffers ({@link LosesBuffers}) are not checked; what they lost is left out of the checks that
 * follow in the same JVM.
 *
 * <p>Before each, whoever waits without saying for how long is given the patience of a busy machine.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();
    private static final TrackedBuffers TRACKED = TrackedBuffers.install();
    private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();
    /** {@link TrackedBuffers#count} when garbage was last collected. */
    private static final AtomicLong CHECKED = new AtomicLong();
    /** Of the bytes lent by all pools, those that no living process of a test has. */
    private static final AtomicLong LOST_BYTES = new AtomicLong();

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
        ByteBufUtil.setLeakListener((kind, records) -> LEAKS.add(kind + records));
        if (losesBuffers(context)) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        if (losesBuffers(context)) {
            ResourceLeakDetector.setLevel(LEVEL);
            LOST_BYTES.set(BufferPool.lentByAllPools());
            return;
        }
        await("end of all loans of buffers")
                .pollDelay(Duration.ZERO)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(BufferPool.lentByAllPools()).isEqualTo(LOST_BYTES.get()));
        if (TRACKED.count() != CHECKED.get()) {
            collectGarbage();
            showDropped();
            CHECKED.set(TRACKED.count());
        }
        assertThat(LEAKS).as("buffers that were dropped without a release").isEmpty();
    }

    private static boolean losesBuffers(ExtensionContext context) {
        return context.getRequiredTestClass().isAnnotationPresent(LosesBuffers.class);
    }

    /** Netty looks for what was dropped whenever it hands a buffer out. */
    private static void showDropped() {
        long before = TRACKED.count();
        PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        assertThat(TRACKED.count()).as("Netty's detector counts buffers").isGreaterThan(before);
    }

    /** Returns when references to what was collected have been queued: ours, which is no older than any other, was. */
    private static void collectGarbage() throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> last = new WeakReference<>(new Object(), queue);
        System.gc();
        assertThat(queue.remove(PATIENCE.toMillis())).isSameAs(last);
    }
}
