package io.ecfs.buffer;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of Netty buffers that its leak detectors have been given to watch in this process. Where none was, none can
 * have been dropped.
 */
final class TrackedBuffers extends ResourceLeakDetectorFactory {
    private final AtomicLong count = new AtomicLong();

    /** Counts from now on. To be called before Netty makes its detector of buffers, with the first of its buffers. */
    static TrackedBuffers install() {
        TrackedBuffers tracked = new TrackedBuffers();
        setResourceLeakDetectorFactory(tracked);
        return tracked;
    }

    long count() {
        return count.get();
    }

    @Override
    @SuppressWarnings("deprecation") // Netty has its users override this one
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
            Class<T> resource, int samplingInterval, long maxActive) {
        return newResourceLeakDetector(resource, samplingInterval);
    }

    @Override
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int samplingInterval) {
        return new Detector<>(resource, samplingInterval, count);
    }

    private static final class Detector<T> extends ResourceLeakDetector<T> {
        private final AtomicLong count;

        Detector(Class<T> resource, int samplingInterval, AtomicLong count) {
            super(resource, samplingInterval);
            this.count = count;
        }

        @Override
        public ResourceLeakTracker<T> track(T resource) {
            count.incrementAndGet();
            return super.track(resource);
        }
    }
}
