package io.ecfs.bench.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.queue.TaskBatchTimes;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A site by the times at which what it is asked for is over. Overhead of 1 us, a byte takes 1 ns. */
class QueuedSiteTest {
    private final VirtualTime time = new VirtualTime();
    private final QueuedSite site = new QueuedSite(time, new Device(1_000, 1_000_000_000));
    private final Map<String, Long> over = new TreeMap<>();

    private Runnable over(String what) {
        return () -> over.put(what, time.nanos());
    }

    @Test
    void sitesServeWhatARequestAsksForOneAfterTheOther() {
        QueuedSite.Visit first = site.visit();
        first.read(500, over("a"));
        first.read(500, over("b"));
        site.visit().write(1, over("c"));
        time.pass(Duration.ofNanos(1_600));
        assertThat(site.takeTimes()).as("the second has not begun").isEqualTo(TaskBatchTimes.waited(0));
        time.pass(Duration.ofMillis(1));
        assertThat(over).containsExactlyInAnyOrderEntriesOf(Map.of("a", 1_500L, "b", 2_000L, "c", 3_001L));
        assertThat(site.bytesRead()).isEqualTo(1_000);
        assertThat(site.takeTimes()).as("behind two chunks").isEqualTo(TaskBatchTimes.waited(2_000));
        assertThat(site.takeTimes()).isEqualTo(TaskBatchTimes.NONE);
    }

    @Test
    void whatIsCalledOffTakesNoTimeUnlessItHasBegun() {
        QueuedSite.Work begun = site.visit().read(500, over("begun"));
        QueuedSite.Visit second = site.visit();
        QueuedSite.Work waits = second.read(700, over("waits"));
        second.read(10, over("beside it"));
        site.visit().read(900, over("alone")).callOff();
        begun.callOff();
        waits.callOff();
        time.pass(Duration.ofMillis(1));
        assertThat(over).containsExactlyInAnyOrderEntriesOf(Map.of("begun", 1_500L, "beside it", 2_510L));
        assertThat(site.bytesRead()).isEqualTo(510);
    }

    @Test
    void deferredHedgesAreServedLastUnlessTheyWaitedLong() {
        site.visit().spare(10, over("spare, nothing waits"));
        site.visit().spare(10, over("spare, passed by"));
        site.visit().read(500, over("read"));
        QueuedSite.Work off = site.visit().spare(10, over("called off"));
        off.callOff();
        time.pass(Duration.ofNanos(5_000));
        assertThat(over)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("spare, nothing waits", 1_010L, "read", 2_510L, "spare, passed by", 3_520L));
        site.visit().read(VolumeQueue.LONGEST_HOLD_NANOS, over("long"));
        site.visit().spare(1, over("aged"));
        time.pass(Duration.ofNanos(3_000));
        site.visit().spare(1, over("younger"));
        time.pass(Duration.ofSeconds(2));
        assertThat(over).containsKeys("long", "younger").doesNotContainKey("aged");
        assertThat(site.bytesRead()).isEqualTo(520 + VolumeQueue.LONGEST_HOLD_NANOS + 1);
    }

    @Test
    void askingHowBusyASiteIsWaitsItsTurnAndTakesNoTime() {
        site.visit().read(500, over("a"));
        site.visit().read(0, over("how busy"));
        site.visit().read(500, over("b"));
        time.pass(Duration.ofMillis(1));
        assertThat(over).containsExactlyInAnyOrderEntriesOf(Map.of("a", 1_500L, "how busy", 1_500L, "b", 3_000L));
    }

    @Test
    void aVisitCountsOnceWhenItsFirstBytesAreReadOrWritten() {
        QueuedSite.Visit first = site.visit();
        first.read(500, () -> {});
        first.read(500, () -> {});
        QueuedSite.Visit calledOff = site.visit();
        calledOff.read(500, () -> {}).callOff();
        site.visit().read(0, () -> {}); // how busy it is
        site.visit().write(500, () -> {});
        site.visit().spare(500, () -> {});
        time.pass(Duration.ofSeconds(1));
        assertThat(site.visits()).isEqualTo(3);
    }
}
