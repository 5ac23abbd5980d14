package io.ecfs.console.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.ecfs.offence.Offences;

/** Every rule, over the main classes of all modules. */
@AnalyzeClasses(packages = "io.ecfs", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static void theRulesSeeTheClassesOfTheModules(JavaClasses classes) {
        assertThat(classes.contain("io.ecfs.layout.ChunkId")).isTrue();
        assertThat(classes.contain("io.ecfs.namenode.log.MetadataLog")).isTrue();
        assertThat(classes.contain("io.ecfs.console.Main")).isTrue();
        assertThat(classes.contain(Offences.Time.class)).isFalse();
    }

    @ArchTest
    static final ArchRule commonKnowsNoOtherModule = Arrows.COMMON_KNOWS_NO_OTHER_MODULE;

    @ArchTest
    static final ArchRule nativeKnowsOnlyCommon = Arrows.NATIVE_KNOWS_ONLY_COMMON;

    @ArchTest
    static final ArchRule namenodeKnowsOnlyCommon = Arrows.NAMENODE_KNOWS_ONLY_COMMON;

    @ArchTest
    static final ArchRule datanodeKnowsOnlyCommon = Arrows.DATANODE_KNOWS_ONLY_COMMON;

    @ArchTest
    static final ArchRule clientKnowsOnlyCommon = Arrows.CLIENT_KNOWS_ONLY_COMMON;

    @ArchTest
    static final ArchRule ratisStaysBehindTheLogPort = Arrows.RATIS_STAYS_BEHIND_THE_LOG_PORT;

    @ArchTest
    static final ArchRule rocksdbStaysBehindTheStorePort = Arrows.ROCKSDB_STAYS_BEHIND_THE_STORE_PORT;

    @ArchTest
    static final ArchRule hadoopStaysInTheConnector = Arrows.HADOOP_STAYS_IN_THE_CONNECTOR;

    @ArchTest
    static final ArchRule theSolverStaysBehindItsPort = Arrows.THE_SOLVER_STAYS_BEHIND_ITS_PORT;

    @ArchTest
    static final ArchRule picocliStaysInTheConsole = Arrows.PICOCLI_STAYS_IN_THE_CONSOLE;

    @ArchTest
    static final ArchRule springStaysInTheWebConsole = Arrows.SPRING_STAYS_IN_THE_WEB_CONSOLE;

    @ArchTest
    static final ArchRule tomcatStaysInWebServers = Arrows.TOMCAT_STAYS_IN_WEB_SERVERS;

    @ArchTest
    static final ArchRule webHdfsKnowsNoConsole = Arrows.WEBHDFS_KNOWS_NO_CONSOLE;

    @ArchTest
    static final ArchRule hdrHistogramStaysInTheBench = Arrows.HDRHISTOGRAM_STAYS_IN_THE_BENCH;

    @ArchTest
    static final ArchRule whatServesKnowsNoSimulation = Arrows.WHAT_SERVES_KNOWS_NO_SIMULATION;

    @ArchTest
    static final ArchRule benchesKnowNoCommandsAndNoWeb = Arrows.BENCHES_KNOW_NO_COMMANDS_AND_NO_WEB;

    @ArchTest
    static final ArchRule theWebConsoleRunsNoFaults = Arrows.THE_WEB_CONSOLE_RUNS_NO_FAULTS;

    @ArchTest
    static final ArchRule nettyChannelsStayInTheWire = Arrows.NETTY_CHANNELS_STAY_IN_THE_WIRE;

    @ArchTest
    static final ArchRule journalsKnowNoVolume = Arrows.JOURNALS_KNOW_NO_VOLUME;

    @ArchTest
    static final ArchRule stagedVolumesKnowNoChunks = Arrows.STAGED_VOLUMES_KNOW_NO_CHUNKS;

    @ArchTest
    static final ArchRule locationsKnowNoReads = Arrows.LOCATIONS_KNOW_NO_READS;

    @ArchTest
    static final ArchRule healthKnowsNoReads = Arrows.HEALTH_KNOWS_NO_READS;

    @ArchTest
    static final ArchRule spansKnowNoRequests = Arrows.SPANS_KNOW_NO_REQUESTS;

    @ArchTest
    static final ArchRule batchesKnowNoStreams = Arrows.BATCHES_KNOW_NO_STREAMS;

    @ArchTest
    static final ArchRule stripesKnowNoWriter = Arrows.STRIPES_KNOW_NO_WRITER;

    @ArchTest
    static final ArchRule framesStayInTheWire = Arrows.FRAMES_STAY_IN_THE_WIRE;

    @ArchTest
    static final ArchRule endsOfTheWireKnowNoServer = Arrows.ENDS_OF_THE_WIRE_KNOW_NO_SERVER;

    @ArchTest
    static final ArchRule endsOfTheWireKnowNoClient = Arrows.ENDS_OF_THE_WIRE_KNOW_NO_CLIENT;

    @ArchTest
    static final ArchRule volumeQueuesKnowNoStore = Arrows.VOLUME_QUEUES_KNOW_NO_STORE;

    @ArchTest
    static final ArchRule kernelsKnowNoCode = Arrows.KERNELS_KNOW_NO_CODE;

    @ArchTest
    static final ArchRule inodeRowsKnowNoCalls = Arrows.INODE_ROWS_KNOW_NO_CALLS;

    @ArchTest
    static final ArchRule checkpointsKnowNoRatis = Arrows.CHECKPOINTS_KNOW_NO_RATIS;

    @ArchTest
    static final ArchRule simulatedClustersKnowNoTrouble = Arrows.SIMULATED_CLUSTERS_KNOW_NO_TROUBLE;

    @ArchTest
    static final ArchRule loadKnowsNoWorkload = Arrows.LOAD_KNOWS_NO_WORKLOAD;

    @ArchTest
    static final ArchRule faultsKnowNoDriver = Arrows.FAULTS_KNOW_NO_DRIVER;

    @ArchTest
    static final ArchRule optionsKnowNoCommand = Arrows.OPTIONS_KNOW_NO_COMMAND;

    @ArchTest
    static final ArchRule geometryCodesAndPlansArePure = Arrows.GEOMETRY_CODES_AND_PLANS_ARE_PURE;

    @ArchTest
    static final ArchRule placementIsPure = Arrows.PLACEMENT_IS_PURE;

    @ArchTest
    static final ArchRule namenodeServicesDoNotKnowTheLeader = Arrows.NAMENODE_SERVICES_DO_NOT_KNOW_THE_LEADER;

    @ArchTest
    static final ArchRule packagesHaveNoCycles = Arrows.PACKAGES_HAVE_NO_CYCLES;

    @ArchTest
    static final ArchRule noNameIsAShrug = Names.NO_NAME_IS_A_SHRUG;

    @ArchTest
    static final ArchRule timeIsPassedIn = Doors.TIME_IS_PASSED_IN;

    @ArchTest
    static final ArchRule chanceIsPassedIn = Doors.CHANCE_IS_PASSED_IN;

    @ArchTest
    static final ArchRule theSimulationDrawsFromItsSeed = Doors.THE_SIMULATION_DRAWS_FROM_ITS_SEED;

    @ArchTest
    static final ArchRule threadsArePassedIn = Doors.THREADS_ARE_PASSED_IN;

    @ArchTest
    static final ArchRule filesAreBehindTheirAdapters = Doors.FILES_ARE_BEHIND_THEIR_ADAPTERS;

    @ArchTest
    static final ArchRule socketsAreTheWires = Doors.SOCKETS_ARE_THE_WIRES;

    @ArchTest
    static final ArchRule theProcessIsTheConsoles = Doors.THE_PROCESS_IS_THE_CONSOLES;
}
