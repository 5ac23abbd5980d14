package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatternCacheTest {
    @Test
    void staysWithinItsBoundAndKeepsWhatIsUsed() {
        PatternCache<Integer, Integer> cache = new PatternCache<>(10);
        AtomicInteger computed = new AtomicInteger();
        for (int i = 0; i < 1000; i++) {
            assertThat(cache.get(-1, key -> computed.incrementAndGet())).isEqualTo(1);
            int key = i;
            assertThat(cache.get(key, k -> k * 2)).isEqualTo(2 * i);
            assertThat(cache.size()).isLessThanOrEqualTo(10);
        }
        assertThat(computed).hasValue(1);
    }
}
