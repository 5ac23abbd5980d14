package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/examples/hbase.md}: ZooKeeper, a master and region servers as processes, with their root directory and
 * write-ahead logs on the cluster. Daemons of ECFS, one region server and in the end all of HBase are killed; each row
 * that was acknowledged is read back.
 */
@Tag("soak")
class HBaseTest {
    private static final String MASTER = "org.apache.hadoop.hbase.master.HMaster";
    private static final String REGION_SERVER = "org.apache.hadoop.hbase.regionserver.HRegionServer";
    private static final int REGIONS = 4;
    private static final int ROWS_BETWEEN_FAULTS = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern RECOVERED =
            Pattern.compile("Recovered lease, (attempt=\\d+) on file=(\\S+) (after \\d+ms)");

    private final List<JobProject.Job> started = new ArrayList<>();

    @TempDir
    private Path directory;

    @Test
    void eachAcknowledgedRowIsReadBack() throws IOException {
        try (ProcessCluster cluster =
                ProcessCluster.start(directory.resolve("cluster"), "rs-3-3-64k", 8, TestCluster.usualLeases())) {
            JobProject hbase = hbase(cluster);
            JobProject.Job master = start(hbase, MASTER, "start");
            JobProject.Job first = start(hbase, REGION_SERVER, "start");
            JobProject.Job second = start(hbase, REGION_SERVER, "start");
            Path end = directory.resolve("end");
            JobProject.Job writer = start(hbase, "io.ecfs.jobs.PutRows", end.toString());
            awaitRows(writer);
            assertThat(writer.said("before")).as("servers with regions").hasSize(2);

            cluster.kill(cluster.leader());
            awaitRows(writer);
            cluster.kill("dn1");
            cluster.kill("dn2");
            awaitRows(writer);
            first.close();
            awaitRows(writer);
            Files.createFile(end);
            JobProject.Run written = writer.ended().well();
            assertThat(written.said("after")).as("servers with regions").hasSize(1);

            // What was only in the memory of HBase comes from its logs now.
            master.close();
            second.close();
            start(hbase, MASTER, "start");
            start(hbase, REGION_SERVER, "start");
            start(hbase, REGION_SERVER, "start");
            assertThat(hbase.run("io.ecfs.jobs.ReadRows").well().said("row")).containsAll(written.said("acknowledged"));
            printRecoveredLeases();
        }
    }

    @AfterEach
    void killWhatRuns() {
        started.forEach(JobProject.Job::close);
    }

    private JobProject.Job start(JobProject jobs, String main, String... arguments) throws IOException {
        JobProject.Job job = jobs.start(main, arguments);
        started.add(job);
        return job;
    }

    private JobProject hbase(ProcessCluster cluster) throws IOException {
        JobProject jobs = JobProject.build(
                        "hbase",
                        Files.createDirectory(directory.resolve("jobs")),
                        // which HBase's own launcher adds on Java 17
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED")
                .configured(Map.of(
                        "fs.ecfs.cluster.prod",
                        cluster.namenodes(),
                        "fs.AbstractFileSystem.ecfs.impl",
                        "io.ecfs.hadoop.EcfsContext"));
        JobProject.Job zooKeeper = start(
                jobs,
                "io.ecfs.jobs.LoopbackZooKeeper",
                Files.createDirectory(directory.resolve("zookeeper")).toString());
        await("ZooKeeper serves").atMost(PATIENCE).until(() -> {
            assertAlive(zooKeeper);
            return !zooKeeper.said("port").isEmpty();
        });
        Map<String, String> site = new HashMap<>(Map.of(
                "hbase.rootdir", "ecfs://prod/hbase",
                "hbase.wal.provider", "filesystem",
                "hbase.cluster.distributed", "true",
                "hbase.zookeeper.quorum", "127.0.0.1",
                "hbase.zookeeper.property.clientPort", zooKeeper.said("port").get(0),
                "zookeeper.session.timeout", "10000", // a server is dead so many milliseconds after it was killed
                "hbase.master.wait.on.regionservers.mintostart", "2",
                "hbase.hregion.memstore.flush.size", "1048576", // so that rows lie in files and in logs
                "hbase.tmp.dir", directory.resolve("tmp").toString()));
        for (String port : List.of("master.port", "regionserver.port")) {
            site.put("hbase." + port, "0");
        }
        for (String page : List.of("master.info.port", "regionserver.info.port")) {
            site.put("hbase." + page, "-1");
        }
        for (String address : List.of("master.ipc.address", "regionserver.ipc.address")) {
            site.put("hbase." + address, "127.0.0.1");
        }
        for (String host : List.of("master.hostname", "unsafe.regionserver.hostname")) {
            site.put("hbase." + host, "localhost");
        }
        return jobs.configured("hbase-site.xml", site);
    }

    /** Waits until rows of each region were acknowledged that were put after this call. */
    private static void awaitRows(JobProject.Job writer) throws IOException {
        int[] before = rows(writer);
        await("rows of a writer that runs").atMost(PATIENCE).until(() -> {
            assertAlive(writer);
            int[] now = rows(writer);
            for (int region = 0; region < REGIONS; region++) {
                if (now[region] < before[region] + ROWS_BETWEEN_FAULTS) {
                    return false;
                }
            }
            return true;
        });
    }

    private static int[] rows(JobProject.Job writer) throws IOException {
        int[] rows = new int[REGIONS];
        writer.said("acknowledged").forEach(key -> rows[key.charAt(0) - '0']++);
        return rows;
    }

    private static void assertAlive(JobProject.Job job) throws IOException {
        assertThat(job.process().isAlive()).as(Files.readString(job.log())).isTrue();
    }

    /** Prints how long HBase waited for each log of a dead server. */
    private void printRecoveredLeases() throws IOException {
        List<String> recovered = new ArrayList<>();
        for (JobProject.Job job : started) {
            Matcher lines = RECOVERED.matcher(Files.readString(job.log()));
            while (lines.find()) {
                recovered.add("recoverLease " + lines.group(3) + ", " + lines.group(1) + ": " + lines.group(2));
            }
        }
        assertThat(recovered).as("logs that were open when their server died").isNotEmpty();
        recovered.forEach(System.out::println);
    }
}
