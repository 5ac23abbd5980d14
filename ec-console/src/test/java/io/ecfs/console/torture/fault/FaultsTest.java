package io.ecfs.console.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether faults stay within what a cluster promises to survive. */
class FaultsTest {
    private static final int LOSSES = 2;

    @TempDir
    private Path directory;

    /** Ids in place of daemons, and who of them is away. */
    private static final class Away implements Site {
        private final Set<String> away = new HashSet<>();
        private int most;

        @Override
        public List<String> datanodes() {
            return List.of("dn0", "dn1", "dn2", "dn3", "dn4");
        }

        @Override
        public List<String> namenodes() {
            return List.of("nn0", "nn1", "nn2");
        }

        @Override
        public List<String> clients() {
            return List.of("client0");
        }

        @Override
        public String leader() {
            return "nn1";
        }

        @Override
        public void kill(String id) {
            assertThat(away.add(id)).as("%s is hurt once", id).isTrue();
            long datanodes = away.stream().filter(datanodes()::contains).count();
            long namenodes = away.stream().filter(namenodes()::contains).count();
            boolean killingAll = away.size() > 1 + LOSSES + 1;
            assertThat(killingAll || (datanodes <= LOSSES && namenodes <= 1))
                    .as("away: %s", away)
                    .isTrue();
            most = Math.max(most, away.size());
        }

        @Override
        public void start(String id) {
            assertThat(away.remove(id)).as("%s was away", id).isTrue();
        }

        @Override
        public void freeze(String id) {
            kill(id);
        }

        @Override
        public void thaw(String id) {
            start(id);
        }

        @Override
        public Path directory(String id) {
            return Path.of("/nowhere");
        }

        @Override
        public void pause(Duration time) {}
    }

    @Test
    void everyRoundStaysWithinTheBudgetAndEveryFaultIsDone() throws IOException, InterruptedException {
        Away site = new Away();
        List<Fault> faults = Faults.named(
                List.of("kill-datanode", "stop-datanode", "kill-leader", "kill-namenode", "stop-leader", "kill-client"),
                Shape.PROCESSES);
        int[] rounds = {300};
        Path file = directory.resolve("faults.log");
        try (FaultLog log = new FaultLog(InstantSource.fixed(Instant.EPOCH), file, event -> {})) {
            new FaultDriver(site, LOSSES, faults, new SplittableRandom(3), log, () -> {
                        assertThat(site.away)
                                .as("who is away when all should be whole")
                                .isEmpty();
                        rounds[0]--;
                    })
                    .run(() -> rounds[0] > 0);
            assertThat(log.counts().keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            faults.stream().map(Fault::name).toList());
        }
        assertThat(site.most).as("faults come together").isEqualTo(3);
        assertThat(Files.readAllLines(file).get(0)).startsWith("1970-01-01T00:00:00Z event=fault_begun fault=");
    }

    @Test
    void aFaultThatHurtsEverybodyIsAlone() throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(1);
        FaultBudget budget = new FaultBudget(new Away(), LOSSES, random);
        Fault all = Faults.named(List.of("kill-all"), Shape.PROCESSES).get(0);
        Fault one = Faults.named(List.of("kill-client"), Shape.PROCESSES).get(0);

        assertThat(budget.take(all, "")).isPresent();
        assertThat(budget.take(one, "")).isEmpty();

        FaultBudget other = new FaultBudget(new Away(), LOSSES, random);
        assertThat(other.take(one, "")).isPresent();
        assertThat(other.take(all, "")).isEmpty();
    }

    @Test
    void namesAreUniqueAndAnUnknownOneIsRefused() {
        for (Shape shape : Shape.values()) {
            assertThat(Faults.of(shape)).extracting(Fault::name).doesNotHaveDuplicates();
        }
        assertThatThrownBy(() -> Faults.named(List.of("earthquake"), Shape.PROCESSES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no fault 'earthquake' for --shape processes; there are kill-datanode, ");
    }
}
