package io.ecfs.code.construction;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.CodeSpec;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** The widest codes have programs of 64 MiB: remembering many of them would take the memory of a process. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3", "rs-200-55", "crs-128-127", "clay-6-3-8", "clay-10-10-11", "clay-32-32-63"})
    void whatACodeRemembersIsBoundedInMemoryAndNotInNumber(String name) {
        CodeSpec spec = CodeSpec.parse(name);
        assertThat(ScheduledCode.patterns(spec)).isBetween(2, 1024);
        assertThat(ScheduledCode.patterns(spec) * ScheduledCode.programBytes(spec))
                .isLessThanOrEqualTo(128L << 20);
    }
}
