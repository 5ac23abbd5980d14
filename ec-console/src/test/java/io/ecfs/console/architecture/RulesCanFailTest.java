package io.ecfs.console.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.ecfs.datanode.offence.KnowsTheClient;
import io.ecfs.offence.Offences;
import io.ecfs.offence.ShrugUtil;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule that cannot fail is no rule: each one is shown the offender it exists for. */
class RulesCanFailTest {

    static Stream<Arguments> offences() {
        return Stream.of(
                Arguments.of(Doors.TIME_IS_PASSED_IN, Offences.Time.class),
                Arguments.of(Doors.CHANCE_IS_PASSED_IN, Offences.Chance.class),
                Arguments.of(Doors.THREADS_ARE_PASSED_IN, Offences.Threads.class),
                Arguments.of(Doors.FILES_ARE_BEHIND_THEIR_ADAPTERS, Offences.FilesOpened.class),
                Arguments.of(Doors.SOCKETS_ARE_THE_WIRES, Offences.Sockets.class),
                Arguments.of(Doors.THE_PROCESS_IS_THE_CONSOLES, Offences.Exits.class),
                Arguments.of(Arrows.COMMON_KNOWS_NO_OTHER_MODULE, Offences.KnowsTheConsole.class),
                Arguments.of(Arrows.RATIS_STAYS_BEHIND_THE_LOG_PORT, Offences.KnowsRatis.class),
                Arguments.of(Arrows.ROCKSDB_STAYS_BEHIND_THE_STORE_PORT, Offences.KnowsRocksDb.class),
                Arguments.of(Arrows.HADOOP_STAYS_IN_THE_CONNECTOR, Offences.KnowsHadoop.class),
                Arguments.of(Arrows.PICOCLI_STAYS_IN_THE_CONSOLE, Offences.KnowsPicocli.class),
                Arguments.of(Arrows.TOMCAT_STAYS_IN_WEB_SERVERS, Offences.KnowsTomcat.class),
                Arguments.of(Arrows.WEBHDFS_KNOWS_NO_CONSOLE, io.ecfs.webhdfs.offence.KnowsTheConsole.class),
                Arguments.of(Arrows.HDRHISTOGRAM_STAYS_IN_THE_BENCH, Offences.KnowsHdrHistogram.class),
                Arguments.of(Arrows.WHAT_SERVES_KNOWS_NO_SIMULATION, Offences.KnowsTheSimulation.class),
                Arguments.of(Arrows.BENCHES_KNOW_NO_COMMANDS_AND_NO_WEB, io.ecfs.bench.offence.KnowsTheConsole.class),
                Arguments.of(Arrows.THE_WEB_CONSOLE_RUNS_NO_FAULTS, io.ecfs.console.web.offence.RunsFaults.class),
                Arguments.of(Arrows.NETTY_CHANNELS_STAY_IN_THE_WIRE, Offences.KnowsNetty.class),
                Arguments.of(Arrows.FRAMES_STAY_IN_THE_WIRE, Offences.KnowsFrames.class),
                Arguments.of(Arrows.ENDS_OF_THE_WIRE_KNOW_NO_SERVER, io.ecfs.wire.client.offence.KnowsTheServer.class),
                Arguments.of(Arrows.ENDS_OF_THE_WIRE_KNOW_NO_CLIENT, io.ecfs.wire.server.offence.KnowsTheClient.class),
                Arguments.of(
                        Arrows.VOLUME_QUEUES_KNOW_NO_STORE, io.ecfs.datanode.store.queue.offence.KnowsTheStore.class),
                Arguments.of(
                        Arrows.JOURNALS_KNOW_NO_VOLUME,
                        io.ecfs.datanode.store.ring.journal.offence.KnowsTheStagedVolume.class),
                Arguments.of(
                        Arrows.STAGED_VOLUMES_KNOW_NO_CHUNKS, io.ecfs.datanode.store.ring.offence.KnowsTheChunks.class),
                Arguments.of(Arrows.LOCATIONS_KNOW_NO_READS, io.ecfs.client.location.offence.KnowsTheReads.class),
                Arguments.of(Arrows.HEALTH_KNOWS_NO_READS, io.ecfs.client.health.offence.KnowsTheReads.class),
                Arguments.of(Arrows.SPANS_KNOW_NO_REQUESTS, io.ecfs.client.read.span.offence.KnowsTheBatch.class),
                Arguments.of(Arrows.BATCHES_KNOW_NO_STREAMS, io.ecfs.client.read.batch.offence.KnowsTheStream.class),
                Arguments.of(Arrows.STRIPES_KNOW_NO_WRITER, io.ecfs.stripe.offence.KnowsTheWriter.class),
                Arguments.of(Arrows.KERNELS_KNOW_NO_CODE, io.ecfs.code.kernel.offence.KnowsACode.class),
                Arguments.of(
                        Arrows.INODE_ROWS_KNOW_NO_CALLS, io.ecfs.namenode.namespace.inode.offence.KnowsTheCaller.class),
                Arguments.of(
                        Arrows.CHECKPOINTS_KNOW_NO_RATIS,
                        io.ecfs.namenode.log.ratis.checkpoint.offence.KnowsRatis.class),
                Arguments.of(
                        Arrows.SIMULATED_CLUSTERS_KNOW_NO_TROUBLE, io.ecfs.sim.cluster.offence.KnowsTheTrouble.class),
                Arguments.of(Arrows.LOAD_KNOWS_NO_WORKLOAD, io.ecfs.bench.load.offence.KnowsAWorkload.class),
                Arguments.of(Arrows.FAULTS_KNOW_NO_DRIVER, io.ecfs.torture.fault.disk.offence.KnowsTheDriver.class),
                Arguments.of(
                        Arrows.OPTIONS_KNOW_NO_COMMAND, io.ecfs.console.command.option.offence.KnowsACommand.class),
                Arguments.of(Arrows.DATANODE_KNOWS_ONLY_COMMON, KnowsTheClient.class),
                Arguments.of(Arrows.NATIVE_KNOWS_ONLY_COMMON, io.ecfs.kernel.offence.KnowsTheDatanode.class),
                Arguments.of(Arrows.NAMENODE_KNOWS_ONLY_COMMON, io.ecfs.namenode.offence.KnowsTheDatanode.class),
                Arguments.of(Arrows.CLIENT_KNOWS_ONLY_COMMON, io.ecfs.client.offence.KnowsTheDatanode.class),
                Arguments.of(Arrows.GEOMETRY_CODES_AND_PLANS_ARE_PURE, io.ecfs.layout.offence.DoesInputOutput.class),
                Arguments.of(Arrows.PLACEMENT_IS_PURE, io.ecfs.namenode.placement.offence.DoesInputOutput.class),
                Arguments.of(Doors.TIME_IS_PASSED_IN, io.ecfs.sim.offence.ReadsTheClock.class),
                Arguments.of(Doors.THE_SIMULATION_DRAWS_FROM_ITS_SEED, io.ecfs.sim.offence.DrawsWithoutASeed.class),
                Arguments.of(
                        Arrows.NAMENODE_SERVICES_DO_NOT_KNOW_THE_LEADER,
                        io.ecfs.namenode.lease.offence.KnowsTheLeader.class),
                Arguments.of(Names.NO_NAME_IS_A_SHRUG, ShrugUtil.class));
    }

    @ParameterizedTest
    @MethodSource("offences")
    void everyMethodOfTheOffenderBreaksItsRule(ArchRule rule, Class<?> offender) {
        List<String> violations = violations(rule, new ClassFileImporter().importClasses(offender));
        assertThat(violations).isNotEmpty();
        Arrays.stream(offender.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .forEach(method -> assertThat(violations)
                        .as("%s of %s breaks \"%s\"", method.getName(), offender.getSimpleName(), rule.getDescription())
                        .anyMatch(violation -> violation.contains("." + method.getName() + "(")));
    }

    @Test
    void packagesThatNeedEachOtherAreACycle() {
        JavaClasses twoPackages = new ClassFileImporter()
                .importClasses(io.ecfs.offence.left.Left.class, io.ecfs.offence.right.Right.class);
        assertThat(violations(Arrows.PACKAGES_HAVE_NO_CYCLES, twoPackages)).isNotEmpty();
    }

    private static List<String> violations(ArchRule rule, JavaClasses classes) {
        return rule.evaluate(classes).getFailureReport().getDetails();
    }
}
