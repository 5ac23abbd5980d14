package io.ecfs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WireLoopsTest {
    @Test
    void theMemoryOfClosedLoopsServesTheNextOnes() {
        Set<ByteBufAllocator> allocators = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 10; i++) {
            WireLoops loops = WireLoops.open("loops", 1);
            allocators.add(loops.allocator());
            // From here on its arenas are bound to this thread.
            loops.allocator().directBuffer(100).release();
            loops.close();
            loops.close();
        }
        assertThat(allocators).hasSize(1);
    }

    @Test
    void thoseThatAreOpenShareNone() {
        try (WireLoops one = WireLoops.open("one", 1);
                WireLoops other = WireLoops.open("other", 1)) {
            assertThat(one.allocator()).isNotSameAs(other.allocator());
        }
    }
}
