package io.ecfs.client.location;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StretchTest {
    @Test
    void stretchesThatTouchOrOverlapAreJoined() {
        List<Stretch> joined = Stretch.joined(List.of(
                new Stretch(50, 60),
                new Stretch(0, 10),
                new Stretch(10, 30),
                new Stretch(12, 20),
                new Stretch(25, 40),
                new Stretch(50, 60)));
        assertThat(joined).containsExactly(new Stretch(0, 40), new Stretch(50, 60));
    }
}
