package io.ecfs.console.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;

/** Who may know whom. */
final class Arrows {
    private static final String[] NATIVE = {"io.ecfs.kernel.."};
    private static final String[] NAMENODE = {"io.ecfs.namenode.."};
    private static final String[] DATANODE = {"io.ecfs.datanode.."};
    private static final String[] CLIENT = {"io.ecfs.client..", "io.ecfs.hadoop.."};
    /** The module on top of all others. */
    static final String[] TOP = {
        "io.ecfs.console..",
        "io.ecfs.webhdfs..",
        "io.ecfs.bench..",
        "io.ecfs.torture..",
        "io.ecfs.sim..",
        "io.ecfs.advise..",
        "io.ecfs.fault.."
    };

    private static final String CONSOLE = "io.ecfs.console..";
    private static final String WEBHDFS = "io.ecfs.webhdfs..";

    static final ArchRule COMMON_KNOWS_NO_OTHER_MODULE = noClasses()
            .that(resideInAPackage("io.ecfs..")
                    .and(resideInAnyPackage(all(NATIVE, NAMENODE, DATANODE, CLIENT, TOP))
                            .negate()))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(all(NATIVE, NAMENODE, DATANODE, CLIENT, TOP))
            .because("ec-common is what all others share; knowing one of them, it would drag it into every class path");

    static final ArchRule NATIVE_KNOWS_ONLY_COMMON = knowsNone(NATIVE, NAMENODE, DATANODE, CLIENT);
    static final ArchRule NAMENODE_KNOWS_ONLY_COMMON = knowsNone(NAMENODE, NATIVE, DATANODE, CLIENT);
    static final ArchRule DATANODE_KNOWS_ONLY_COMMON = knowsNone(DATANODE, NATIVE, NAMENODE, CLIENT);
    static final ArchRule CLIENT_KNOWS_ONLY_COMMON = knowsNone(CLIENT, NATIVE, NAMENODE, DATANODE);

    static final ArchRule RATIS_STAYS_BEHIND_THE_LOG_PORT = staysIn(
            "org.apache.ratis..",
            "the namenode speaks to its log by the MetadataLog port, so that the simulation can put another log behind"
                    + " it",
            "io.ecfs.namenode.log.ratis..");

    static final ArchRule ROCKSDB_STAYS_BEHIND_THE_STORE_PORT = staysIn(
            "org.rocksdb..",
            "the namenode's state speaks to the KeyValueStore port, so that the simulation can keep it in memory",
            "io.ecfs.namenode.store.rocks..");

    static final ArchRule HADOOP_STAYS_IN_THE_CONNECTOR = staysIn(
            "org.apache.hadoop..",
            "Hadoop is provided by the job that uses it: the client library must load without it",
            "io.ecfs.hadoop..",
            CONSOLE,
            WEBHDFS,
            "io.ecfs.bench..",
            "io.ecfs.torture..");

    static final ArchRule THE_SOLVER_STAYS_BEHIND_ITS_PORT = staysIn(
            "com.google.ortools..",
            "jobs read without a solver: nothing else may need its classes to load",
            "io.ecfs.client.solver");

    static final ArchRule PICOCLI_STAYS_IN_THE_CONSOLE =
            staysIn("picocli..", "only the command line parses command lines", CONSOLE);

    static final ArchRule SPRING_STAYS_IN_THE_WEB_CONSOLE = staysIn(
            "org.springframework..",
            "commands and daemons must not load it: it would slow each start",
            "io.ecfs.console.web..");

    static final ArchRule TOMCAT_STAYS_IN_WEB_SERVERS = staysIn(
            "org.apache.[catalina|coyote|tomcat]..",
            "only the console and WebHDFS are web servers",
            "io.ecfs.console.web..",
            WEBHDFS);

    static final ArchRule WEBHDFS_KNOWS_NO_CONSOLE = noClasses()
            .that()
            .resideInAPackage(WEBHDFS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CONSOLE, "io.ecfs.bench..", "io.ecfs.torture..", "io.ecfs.sim..")
            .because("a command starts WebHDFS, which is a client of the cluster as a job is");

    static final ArchRule HDRHISTOGRAM_STAYS_IN_THE_BENCH = staysIn(
            "org.HdrHistogram..",
            "only benches measure latencies one by one",
            "io.ecfs.bench.load",
            "io.ecfs.bench.bed..");

    static final ArchRule WHAT_SERVES_KNOWS_NO_SIMULATION = noClasses()
            .that()
            .resideOutsideOfPackages("io.ecfs.sim..", "io.ecfs.bench.bed..", "io.ecfs.fault.lab..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.ecfs.sim..")
            .because("virtual time and simulated networks are for tests, test beds and experiments; daemons and clients"
                    + " never load them");

    static final ArchRule BENCHES_KNOW_NO_COMMANDS_AND_NO_WEB = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.ecfs.sim..", "io.ecfs.bench..", "io.ecfs.torture..", "io.ecfs.advise..", "io.ecfs.fault..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.console.command..", "io.ecfs.console.web..")
            .because("commands start benches, tortures and simulations, which know no command line and no web server");

    static final ArchRule THE_WEB_CONSOLE_RUNS_NO_FAULTS = noClasses()
            .that()
            .resideInAPackage("io.ecfs.console.web..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.fault.inject..", "io.ecfs.torture..", "io.ecfs.console.command..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("io.ecfs.fault.lab.FaultLab")
            .because("experiments hurt clusters of their own and are started from the command line; a browser reads"
                    + " their reports");

    static final ArchRule NETTY_CHANNELS_STAY_IN_THE_WIRE = noClasses()
            .that()
            .resideOutsideOfPackage("io.ecfs.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.netty.channel..", "io.netty.bootstrap..", "io.netty.handler..", "io.netty.resolver..")
            .because("callers see requests and answers; connections, event loops and TLS are io.ecfs.wire's to change");

    static final ArchRule FRAMES_STAY_IN_THE_WIRE = noClasses()
            .that()
            .resideOutsideOfPackage("io.ecfs.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.ecfs.wire.frame..")
            .because("callers and handlers exchange envelopes, whose buffers have owners: frames are the connections'");

    static final ArchRule ENDS_OF_THE_WIRE_KNOW_NO_SERVER = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.ecfs.wire",
                    "io.ecfs.wire.codec..",
                    "io.ecfs.wire.tls..",
                    "io.ecfs.wire.frame..",
                    "io.ecfs.wire.client..",
                    "io.ecfs.wire.file..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.ecfs.wire.server..")
            .because("both ends share the vocabulary and the frames of the wire, and neither needs the other");

    static final ArchRule ENDS_OF_THE_WIRE_KNOW_NO_CLIENT = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.ecfs.wire",
                    "io.ecfs.wire.codec..",
                    "io.ecfs.wire.tls..",
                    "io.ecfs.wire.frame..",
                    "io.ecfs.wire.server..",
                    "io.ecfs.wire.file..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.ecfs.wire.client..")
            .because("both ends share the vocabulary and the frames of the wire, and neither needs the other");

    static final ArchRule VOLUME_QUEUES_KNOW_NO_STORE = noClasses()
            .that()
            .resideInAPackage("io.ecfs.datanode.store.queue..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.datanode.store", "io.ecfs.datanode.store.io..")
            .because("order and bounds of a volume's work do not depend on what the work is");

    static final ArchRule JOURNALS_KNOW_NO_VOLUME = noClasses()
            .that()
            .resideInAnyPackage("io.ecfs.datanode.store.ring.journal..", "io.ecfs.datanode.store.ring.device..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.ecfs.datanode.store", "io.ecfs.datanode.store.ring", "io.ecfs.datanode.store.ring.turn..")
            .because("records, and the device's own files and names, are written, synced and found again whatever they"
                    + " are about");

    static final ArchRule STAGED_VOLUMES_KNOW_NO_CHUNKS = noClasses()
            .that()
            .resideInAPackage("io.ecfs.datanode.store.ring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.datanode.store", "io.ecfs.datanode.server..")
            .because("every change of a volume's files is staged, whatever the files are");

    static final ArchRule LOCATIONS_KNOW_NO_READS = noClasses()
            .that()
            .resideInAnyPackage("io.ecfs.client.location..", "io.ecfs.client.ring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.client.read..", "io.ecfs.client.health..", "io.ecfs.client.write..")
            .because("where a file's bytes lie, and which volumes write, does not depend on how they are read");

    static final ArchRule HEALTH_KNOWS_NO_READS = noClasses()
            .that()
            .resideInAPackage("io.ecfs.client.health..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.client.read..", "io.ecfs.client.location..", "io.ecfs.client.write..")
            .because("readers and writers report to the health of datanodes and query it, and it knows neither");

    static final ArchRule SPANS_KNOW_NO_REQUESTS = noClasses()
            .that()
            .resideInAPackage("io.ecfs.client.read.span..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.client.read.batch..", "io.ecfs.client.read.stream..", "io.ecfs.client.write..")
            .because("a span is read in the same way for a stream, for a batch and for a writer");

    static final ArchRule STRIPES_KNOW_NO_WRITER = noClasses()
            .that()
            .resideInAPackage("io.ecfs.stripe..")
            .and()
            .resideOutsideOfPackage("io.ecfs.stripe.write..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.ecfs.stripe.write..")
            .because("a stripe is filled and encoded in the same way whoever sends it, and wherever to");

    static final ArchRule BATCHES_KNOW_NO_STREAMS = noClasses()
            .that()
            .resideInAPackage("io.ecfs.client.read.batch..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.client.read.stream..", "io.ecfs.client.write..")
            .because("files offer their ranges to batches by the port ReadableFile");

    static final ArchRule KERNELS_KNOW_NO_CODE = noClasses()
            .that()
            .resideInAnyPackage("io.ecfs.code.kernel..", "io.ecfs.code.field..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.code", "io.ecfs.code.construction..")
            .because("kernels run schedules, whatever code they come from; a new kernel needs no knowledge of codes");

    static final ArchRule INODE_ROWS_KNOW_NO_CALLS = noClasses()
            .that()
            .resideInAPackage("io.ecfs.namenode.namespace.inode..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.ecfs.namenode.namespace", "io.ecfs.namenode.namespace.path..", "io.ecfs.namenode.command..")
            .because("rows are read and written for calls, queries and checks alike; who asks is decided before");

    static final ArchRule CHECKPOINTS_KNOW_NO_RATIS = noClasses()
            .that()
            .resideInAPackage("io.ecfs.namenode.log.ratis.checkpoint..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.ratis..", "io.ecfs.namenode.log.ratis")
            .because("checkpoints are directories and travel over our wire, whatever library keeps the log");

    static final ArchRule SIMULATED_CLUSTERS_KNOW_NO_TROUBLE = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.ecfs.sim.time..", "io.ecfs.sim.network..", "io.ecfs.sim.ring..", "io.ecfs.sim.cluster..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.sim", "io.ecfs.sim.trouble..", "io.ecfs.sim.check..", "io.ecfs.sim.script..")
            .because("hosts and clients act as in a real cluster: what breaks and what is checked comes from outside");

    static final ArchRule LOAD_KNOWS_NO_WORKLOAD = noClasses()
            .that()
            .resideInAnyPackage("io.ecfs.bench.load..", "io.ecfs.bench.system..", "io.ecfs.bench.soak..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.ecfs.bench")
            .because("workloads and the soak are made of the same parts, and do not need each other");

    static final ArchRule FAULTS_KNOW_NO_DRIVER = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.ecfs.torture.fault",
                    "io.ecfs.torture.fault.process..",
                    "io.ecfs.torture.fault.machine..",
                    "io.ecfs.torture.fault.disk..",
                    "io.ecfs.torture.fault.request..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.ecfs.torture.fault.driver..")
            .because("a fault says what it does and to whom; when it happens and within what budget is decided"
                    + " elsewhere");

    static final ArchRule OPTIONS_KNOW_NO_COMMAND = noClasses()
            .that()
            .resideInAPackage("io.ecfs.console.command.option..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.ecfs.console.command",
                    "io.ecfs.console.command.admin..",
                    "io.ecfs.console.command.daemon..",
                    "io.ecfs.console.command.bench..",
                    "io.ecfs.console.command.torture..")
            .because("commands share options, and none of them needs another");

    static final ArchRule GEOMETRY_CODES_AND_PLANS_ARE_PURE = classes()
            .that()
            .resideInAnyPackage(
                    "io.ecfs.layout..", "io.ecfs.code..", "io.ecfs.plan..", "io.ecfs.patch..", "io.ecfs.client.plan..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java.lang..",
                    "java.math..",
                    "java.nio",
                    "java.util..",
                    "org.slf4j..",
                    "com.fasterxml.jackson.annotation..",
                    "com.google.errorprone.annotations..",
                    "io.ecfs.layout..",
                    "io.ecfs.code..",
                    "io.ecfs.error..",
                    "io.ecfs.plan..",
                    "io.ecfs.patch..",
                    "io.ecfs.client.plan..",
                    "io.ecfs.buffer..")
            .because("layout arithmetic, codes and plans are functions of their arguments: no I/O, no network, no"
                    + " library");

    static final ArchRule PLACEMENT_IS_PURE = classes()
            .that()
            .resideInAPackage("io.ecfs.namenode.placement..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java.lang..",
                    "java.util..",
                    "io.ecfs.code",
                    "io.ecfs.env",
                    "io.ecfs.error..",
                    "io.ecfs.layout..",
                    "io.ecfs.message..",
                    "io.ecfs.namenode.placement..")
            .because("where a group goes is a function of a snapshot and of random numbers, so that a seed shows it"
                    + " again");

    static final ArchRule NAMENODE_SERVICES_DO_NOT_KNOW_THE_LEADER = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.ecfs.namenode.context..",
                    "io.ecfs.namenode.settings..",
                    "io.ecfs.namenode.health..",
                    "io.ecfs.namenode.scrub..",
                    "io.ecfs.namenode.deletion..",
                    "io.ecfs.namenode.lease..",
                    "io.ecfs.namenode.reconstruction..",
                    "io.ecfs.namenode.rebalance..",
                    "io.ecfs.namenode.ring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ecfs.namenode.leader", "io.ecfs.namenode.metrics", "io.ecfs.namenode.rpc")
            .because("the leader makes and connects the services of a term, and requests reach them through it");

    static final ArchRule PACKAGES_HAVE_NO_CYCLES = slices().matching("io.ecfs.(**)")
            .should()
            .beFreeOfCycles()
            .because(
                    "packages that need each other are one package: merge them, or find the missing port between them");

    private Arrows() {}

    private static ArchRule knowsNone(String[] module, String[]... others) {
        return noClasses()
                .that()
                .resideInAnyPackage(module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(all(all(others), TOP))
                .because("the modules over ec-common do not know each other: what two of them need belongs in"
                        + " ec-common");
    }

    private static ArchRule staysIn(String library, String because, String... homes) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(homes)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .because(because);
    }

    private static String[] all(String[]... packages) {
        return Arrays.stream(packages).flatMap(Arrays::stream).toArray(String[]::new);
    }
}
