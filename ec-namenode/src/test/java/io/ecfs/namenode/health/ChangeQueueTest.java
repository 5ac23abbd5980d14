package io.ecfs.namenode.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.GroupId;
import io.ecfs.namenode.state.GroupChanges;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChangeQueueTest {
    private int arrivals;
    private final ChangeQueue queue = new ChangeQueue(() -> arrivals++);

    private void change(long... groups) {
        TreeSet<GroupId> changed = new TreeSet<>();
        for (long group : groups) {
            changed.add(new GroupId(group));
        }
        queue.changed(new GroupChanges(changed, new TreeSet<>()));
    }

    @Test
    void aNameIsQueuedOnceInTheOrderOfArrivalAndTheReaderIsWokenOnce() {
        change(5, 6);
        change(4, 5);
        assertThat(arrivals).isEqualTo(1);
        assertThat(queue.take(2).groups()).extracting(GroupId::value).containsExactly(5L, 6L);
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.take(2).groups()).extracting(GroupId::value).containsExactly(4L);
        assertThat(queue.isEmpty()).isTrue();
        change(5);
        assertThat(arrivals).isEqualTo(2);
    }

    @Test
    void pastItsBoundItHoldsNoNamesAndAsksForALookAtEverything() {
        for (long group = 1; group <= ChangeQueue.MOST; group++) {
            change(group);
        }
        assertThat(queue.takeEverything()).isFalse();
        change(ChangeQueue.MOST + 1L);
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.take(10).groups()).isEmpty();
        assertThat(queue.takeEverything()).isTrue();
        assertThat(queue.isEmpty()).isTrue();
        change(7);
        assertThat(queue.take(10).groups()).hasSize(1);
    }
}
