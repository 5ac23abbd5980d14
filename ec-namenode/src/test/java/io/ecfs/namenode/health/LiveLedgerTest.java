package io.ecfs.namenode.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Stamp;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.rpc.PretendDatanode;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ledger of damage, which every namenode keeps as entries and reports arrive, beside a recount of everything. */
class LiveLedgerTest {
    private static final int DATANODES = 8;
    private static final int STEPS = 60;

    @Test
    // Ceph PR 65747, PR 65908; HDDS-14989
    void everyNamenodeNotesWhatARecountWouldFindWhateverComesFirst() {
        runSeeds(0, 4);
    }

    @Test
    @Tag("soak")
    void everyNamenodeNotesWhatARecountWouldFindForManySeeds() {
        runSeeds(100, 300);
    }

    private static void runSeeds(int from, int to) {
        long compared = 0;
        for (int seed = from; seed < to; seed++) {
            compared += new Run(seed).run();
        }
        assertThat(compared).isGreaterThan((long) (to - from) * STEPS);
    }

    /** One cluster under random events. A majority of the namenodes is up and connected at every moment. */
    private static final class Run {
        final long seed;
        final SplittableRandom random;
        final TestCluster cluster;
        final List<String> files = new ArrayList<>();
        Optional<String> cut = Optional.empty();
        int created;
        long compared;

        Run(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            this.cluster = new TestCluster(seed, DATANODES, TestCluster.RECOVERY);
        }

        long run() {
            cluster.ready();
            for (int step = 0; step < STEPS; step++) {
                String what = step();
                for (String id : cluster.namenodes.keySet()) {
                    compare(id, "seed " + seed + " step " + step + " after " + what);
                }
                if (random.nextInt(3) == 0) {
                    cluster.time.advance(Duration.ofMillis(random.nextInt(8_000)));
                }
            }
            return compared;
        }

        private void compare(String id, String when) {
            CompletableFuture<UnderReplicationAudit> answer =
                    cluster.namenodes.get(id).auditLedger();
            cluster.await(answer::isDone);
            UnderReplicationAudit audit = answer.join();
            compared += audit.settled() ? 1 : 0;
            assertThat(audit.difference()).as("%s on %s", when, id).isEmpty();
        }

        private String step() {
            PretendDatanode datanode = cluster.datanodes.get(1 + random.nextInt(DATANODES));
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> {
                    return file(random.nextInt(4) == 0);
                }
                case 3 -> {
                    if (files.isEmpty()) {
                        return "nothing";
                    }
                    String file = files.remove(random.nextInt(files.size()));
                    if (writes()) {
                        cluster.delete(file);
                    }
                    return "delete " + file;
                }
                case 4 -> {
                    datanode.alive = false;
                    return "death of " + datanode.id;
                }
                case 5 -> {
                    cluster.datanodes.values().forEach(d -> {
                        if (!d.alive) {
                            d.restart();
                        }
                    });
                    return "restart of the dead";
                }
                case 6 -> {
                    datanode.volumeLost = !datanode.volumeLost;
                    datanode.restart();
                    return "volume of " + datanode.id + " lost: " + datanode.volumeLost;
                }
                case 7 -> {
                    datanode.chunks.keySet().stream().findFirst().ifPresent(datanode.chunks::remove);
                    datanode.restart();
                    return "chunk of " + datanode.id + " missing";
                }
                case 8 -> {
                    Optional<ChunkRecord> last =
                            datanode.chunks.values().stream().reduce((a, b) -> b);
                    last.ifPresent(r -> datanode.put(new ChunkRecord(
                            r.chunk(),
                            ChunkState.CORRUPT,
                            r.bytes(),
                            r.fullStripeBytes(),
                            r.groupLength(),
                            Stamp.NONE)));
                    return "corrupt chunk of " + datanode.id;
                }
                case 9 -> {
                    datanode.reportsHeld = !datanode.reportsHeld;
                    return "reports of " + datanode.id + " held: " + datanode.reportsHeld;
                }
                case 10 -> {
                    heal();
                    String id = "nn" + random.nextInt(3);
                    cluster.crash(id);
                    cluster.start(id);
                    electAny();
                    return "restart of " + id;
                }
                case 11 -> {
                    heal();
                    electAny();
                    return "election of " + cluster.leader();
                }
                case 12 -> {
                    heal();
                    String id = follower();
                    cluster.quorum.cut(id);
                    cut = Optional.of(id);
                    return "cut of " + id;
                }
                default -> {
                    cut.ifPresent(id -> cluster.install(cluster.leader(), id));
                    heal();
                    return "checkpoint";
                }
            }
        }

        private String file(boolean open) {
            boolean may = writes()
                    && cluster.datanodes.values().stream()
                                    .filter(d -> d.alive && !d.volumeLost)
                                    .count()
                            > 6;
            cluster.time.advance(Duration.ofMillis(600));
            if (!may) {
                return "nothing";
            }
            String path = "/f" + ++created;
            CompletableFuture<NamespaceReply> answer = cluster.send(
                    cluster.leader(),
                    new NamespaceRequest.Create(
                            cluster.request("writer"), new FilePath(path), 0644, false, true, Optional.empty()));
            cluster.await(answer::isDone);
            if (answer.isCompletedExceptionally()) {
                return "refused create";
            }
            NamespaceReply.Created file = (NamespaceReply.Created) answer.join();
            int chunks = file.first().chunks().size();
            files.add(path);
            if (!open && chunks >= 4) {
                cluster.send(
                        cluster.leader(),
                        new NamespaceRequest.CompleteFile(
                                cluster.request("writer"),
                                file.status().inode(),
                                Optional.of(cluster.write(
                                        file.first(), TestCluster.LENGTH, chunks - random.nextInt(chunks - 3))),
                                false));
            }
            return "file " + path;
        }

        private boolean writes() {
            return cluster.quorum.leader().isPresent() && !cluster.report().safeMode();
        }

        private void heal() {
            cut.ifPresent(cluster.quorum::heal);
            cut = Optional.empty();
            cluster.time.advance(Duration.ofMillis(200));
        }

        private void electAny() {
            cluster.elect("nn" + random.nextInt(3));
        }

        private String follower() {
            return cluster.namenodes.keySet().stream()
                    .filter(id -> !id.equals(cluster.leader()))
                    .skip(random.nextInt(2))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
