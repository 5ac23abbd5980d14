package io.ecfs.bench.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class ProcessCountersTest {
    private static final long OWN = ProcessHandle.current().pid();

    @Test
    void cpuTimeGrowsWithWork() {
        ProcessCounters before = ProcessCounters.of(OWN).orElseThrow();
        long x = 1;
        for (int i = 0; i < 200_000_000; i++) {
            x = x * 6_364_136_223_846_793_005L + 1;
        }
        ProcessCounters after = ProcessCounters.of(OWN).orElseThrow();
        assertThat(x).isNotZero();
        assertThat(after.userSeconds()).isGreaterThan(before.userSeconds());
    }

    @Test
    void eachHandOverBetweenTwoThreadsIsASwitch() throws InterruptedException {
        Semaphore there = new Semaphore(0);
        Semaphore back = new Semaphore(0);
        Thread other = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                there.acquireUninterruptibly();
                back.release();
            }
            there.acquireUninterruptibly(); // alive until it was counted
        });
        ProcessCounters before = ProcessCounters.of(OWN).orElseThrow();
        other.start();
        for (int i = 0; i < 1000; i++) {
            there.release();
            back.acquireUninterruptibly();
        }
        long switches = ProcessCounters.of(OWN).orElseThrow().switchesSince(before);
        there.release();
        other.join();
        assertThat(switches).isGreaterThan(500);
    }

    @Test
    void aProcessThatIsGoneHasNoCounters() {
        assertThat(ProcessCounters.of(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void residentMemoryHasAPeak() {
        assertThat(ProcessCounters.of(OWN).orElseThrow().peakResidentBytes()).isGreaterThan(10L << 20);
    }

    @Test
    void numbersAreFoundByTheirWholeKeyOnly() {
        String status =
                "Name:\tjava\nnonvoluntary_ctxt_switches:\t7\nvoluntary_ctxt_switches:\t12\nVmHWM:\t  2048 kB\n";
        assertThat(ProcFile.number(status, "voluntary_ctxt_switches")).isEqualTo(12);
        assertThat(ProcFile.number(status, "nonvoluntary_ctxt_switches")).isEqualTo(7);
        assertThat(ProcFile.number(status, "VmHWM")).isEqualTo(2048);
        assertThat(ProcFile.number(status, "VmPeak")).isZero();
        assertThat(ProcFile.number("read_bytes: 5\n", "read_bytes")).isEqualTo(5);
        assertThat(ProcFile.text(Path.of("/proc/0/stat"))).isEmpty();
    }
}
