package io.ecfs.torture.fault.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.EcfsClient;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.Machines;
import io.ecfs.torture.fault.Shape;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether faults stay within what a cluster promises to survive. */
class FaultsTest {
    private static final int LOSSES = 2;

    private static final FaultBudget.Leader NONE_LEADS = () -> {
        throw new AssertionError("all daemons have ended: nobody can say who leads");
    };

    private final SplittableRandom random = new SplittableRandom(5);

    @TempDir
    private Path directory;

    /** Ids in place of daemons, and who of them is away. */
    private static final class Away implements TortureSite {
        private final Path files;
        private final Set<String> away = new HashSet<>();
        private int most;
        private int timesWhole;

        Away(Path files) {
            this.files = files;
        }

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
            return files.resolve(id);
        }

        @Override
        public Machines machines() {
            throw new AssertionError("nothing is done to machines here");
        }

        @Override
        public void awaitWhole() {
            assertThat(away).as("who is away when all should be whole").isEmpty();
            timesWhole++;
        }

        @Override
        public EcfsClient client() {
            throw new AssertionError("nothing is ordered here");
        }

        @Override
        public void pause(Duration time) {}
    }

    @Test
    void everyRoundStaysWithinTheBudgetAndEveryFaultIsDone() throws IOException, InterruptedException {
        Away site = new Away(directory);
        List<Fault> faults = Faults.named(
                List.of("kill-datanode", "stop-datanode", "kill-leader", "kill-namenode", "stop-leader", "kill-client"),
                Shape.PROCESSES);
        Path file = directory.resolve("faults.log");
        try (FaultLog log = new FaultLog(InstantSource.fixed(Instant.EPOCH), file, event -> {})) {
            new FaultDriver(site, LOSSES, faults, new SplittableRandom(3), log).run(() -> site.timesWhole < 300);
            assertThat(log.counts().keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            faults.stream().map(Fault::name).toList());
        }
        assertThat(site.most).as("faults come together").isEqualTo(3);
        assertThat(Files.readAllLines(file).get(0)).startsWith("1970-01-01T00:00:00Z event=fault_begun fault=");
    }

    @Test
    void aFaultThatNeedsARoundOfItsOwnKeepsItsTurn() throws IOException, InterruptedException {
        List<Fault> faults = Faults.named(
                List.of("kill-datanode", "stop-datanode", "kill-client", "stop-client", "wipe-two-namenodes"),
                Shape.PROCESSES);
        for (int seed = 0; seed < 50; seed++) {
            Away site = new Away(directory);
            Path file = directory.resolve("faults.log");
            try (FaultLog log = new FaultLog(InstantSource.fixed(Instant.EPOCH), file, event -> {})) {
                SplittableRandom chance = new SplittableRandom(seed);
                new FaultDriver(site, LOSSES, faults, chance, log).run(() -> site.timesWhole <= faults.size());
                assertThat(log.counts()).as("seed %d", seed).containsKey("wipe-two-namenodes");
            }
        }
    }

    @Test
    void theFirstPassIsInTheOrderAsked() throws IOException, InterruptedException {
        List<String> asked = List.of("stop-client", "kill-leader", "kill-datanode", "kill-client");
        for (int seed = 0; seed < 20; seed++) {
            List<String> begun = new ArrayList<>();
            try (FaultLog log = new FaultLog(
                    InstantSource.fixed(Instant.EPOCH),
                    directory.resolve("faults.log"),
                    event -> begunBy(event).ifPresent(begun::add))) {
                new FaultDriver(
                                new Away(directory),
                                LOSSES,
                                Faults.named(asked, Shape.PROCESSES),
                                new SplittableRandom(seed),
                                log)
                        .run(() -> begun.size() < asked.size());
            }
            assertThat(begun).as("seed %d", seed).startsWith(asked.toArray(String[]::new));
        }
    }

    private static Optional<String> begunBy(String event) {
        Matcher begun = Pattern.compile("event=fault_begun fault=(\\S+) .*").matcher(event);
        return begun.matches() ? Optional.of(begun.group(1)) : Optional.empty();
    }

    @Test
    void aFaultThatHurtsEverybodyIsAlone() throws IOException, InterruptedException {
        FaultBudget budget = new FaultBudget(new Away(directory), LOSSES, Optional.empty(), random);
        Fault all = Faults.named(List.of("kill-all"), Shape.PROCESSES).get(0);
        Fault one = Faults.named(List.of("kill-client"), Shape.PROCESSES).get(0);

        assertThat(budget.take(all, NONE_LEADS)).isPresent();
        assertThat(budget.take(one, NONE_LEADS)).isEmpty();
        Fault leader = Faults.named(List.of("kill-leader"), Shape.PROCESSES).get(0);
        assertThat(budget.take(leader, NONE_LEADS)).isEmpty();

        FaultBudget other = new FaultBudget(new Away(directory), LOSSES, Optional.empty(), random);
        assertThat(other.take(one, NONE_LEADS)).isPresent();
        assertThat(other.take(all, NONE_LEADS)).isEmpty();
    }

    @Test
    void aDatanodeWithWrongBytesIsAlwaysTheSameAndCountsInEveryRound() throws IOException, InterruptedException {
        FaultBudget budget = new FaultBudget(new Away(directory), LOSSES, Optional.of("dn3"), new SplittableRandom(1));
        Fault flip = Faults.named(List.of("flip-data"), Shape.PROCESSES).get(0);
        Fault kill = Faults.named(List.of("kill-datanode"), Shape.PROCESSES).get(0);

        assertThat(budget.take(flip, NONE_LEADS)).contains("dn3");
        assertThat(budget.take(flip, NONE_LEADS)).as("twice in a round").isEmpty();
        assertThat(budget.take(kill, NONE_LEADS)).isPresent().isNotEqualTo(Optional.of("dn3"));
        assertThat(budget.take(kill, NONE_LEADS))
                .as("m of two, one of them rotten")
                .isEmpty();
    }

    @Test
    void aFlipChangesOneBitOfOnePublishedFile() throws IOException, InterruptedException {
        Path chunk = stored("dn0", "1.0.0.data", new byte[1000]);
        Path writing = directory.resolve("dn0/volume0/writing/02/2.0.0.data");
        Files.createDirectories(writing.getParent());
        Files.write(writing, new byte[1000]);

        inflict("flip-data", "dn0");

        int bits = 0;
        for (byte value : Files.readAllBytes(chunk)) {
            bits += Integer.bitCount(value & 0xFF);
        }
        assertThat(bits).isEqualTo(1);
        assertThat(Files.readAllBytes(writing)).isEqualTo(new byte[1000]);
    }

    @Test
    void aSwapExchangesBothFilesOfTwoChunks() throws IOException, InterruptedException {
        List<Path> files = new ArrayList<>();
        for (int chunk = 1; chunk <= 2; chunk++) {
            files.add(stored("dn0", chunk + ".0.0.data", new byte[] {(byte) chunk}));
            files.add(stored("dn0", chunk + ".0.0.sum", new byte[] {(byte) (10 + chunk)}));
        }

        for (int tries = 0; Files.readAllBytes(files.get(0))[0] == 1; tries++) {
            assertThat(tries).as("chance chose the same chunk twice each time").isLessThan(100);
            inflict("swap-chunks", "dn0");
        }

        List<Integer> now = new ArrayList<>();
        for (Path file : files) {
            now.add((int) Files.readAllBytes(file)[0]);
        }
        assertThat(now).containsExactly(2, 12, 1, 11);
    }

    @Test
    void aWipedNamenodeStartsWithNothing() throws IOException, InterruptedException {
        Path file = directory.resolve("nn0/log/segment");
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[10]);

        inflict("wipe-namenode", "nn0").end();

        assertThat(directory.resolve("nn0")).doesNotExist();
    }

    @Test
    void whereNothingIsStoredThereIsNothingToHurt() throws IOException, InterruptedException {
        Files.createDirectories(directory.resolve("dn0"));

        for (String fault : List.of("flip-data", "flip-sum", "swap-chunks")) {
            inflict(fault, "dn0").end();
        }
    }

    private Fault.Inflicted inflict(String fault, String victim) throws IOException, InterruptedException {
        return Faults.named(List.of(fault), Shape.PROCESSES).get(0).inflict(new Away(directory), victim, random);
    }

    private Path stored(String datanode, String name, byte[] bytes) throws IOException {
        Path file = directory.resolve(datanode + "/volume0/finalised/01/" + name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
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
