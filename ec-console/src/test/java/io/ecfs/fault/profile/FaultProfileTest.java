package io.ecfs.fault.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigException;
import io.ecfs.config.ConfigReader;
import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultProfileTest {
    private static FaultProfile read(String yaml) {
        return ConfigReader.read(FaultProfile.class, "p.yaml", yaml, List.of());
    }

    @Test
    void allThatCanBeSaidIsRead() {
        FaultProfile profile = read("""
                cluster: {shape: one, namenodes: 3, datanodes: 14, volumes: 2, racks: 7, disks: tmpfs,
                          set: [datanode.repair.atOnce=4]}
                policies: [rs-9-3-1024k, clay-9-3-11-1024k]
                workload: {files: 256, bytes: 4400k, during: mixed}
                faults:
                  - {at: 5s, fault: kill, for: 60s,
                     victims: {level: datanode, count: 2, of: 'group:7', place: same-rack, chunks: parity, plan: dearest}}
                  - {on: half-written, fault: slow-link, delay: 20ms, victims: {level: rack}}
                  - {fault: flip-data, victims: {level: volume, of: 'dn3/0 dn4/1', count: 2}}
                budget: beyond
                repetitions: 3
                seed: 7
                """);
        assertThat(profile.cluster())
                .isEqualTo(new LabCluster(
                        LabCluster.Shape.ONE,
                        3,
                        14,
                        2,
                        7,
                        LabCluster.DiskKind.TMPFS,
                        List.of("datanode.repair.atOnce=4")));
        assertThat(profile.policies()).containsExactly(Policy.parse("rs-9-3-1024k"), Policy.parse("clay-9-3-11-1024k"));
        assertThat(profile.workload().totalBytes()).isEqualTo(256L * 4400 * 1024);
        FaultStep kill = profile.faults().get(0);
        assertThat(kill.lasts()).contains(Duration.ofSeconds(60));
        assertThat(kill.victims())
                .isEqualTo(new VictimRule(
                        Level.DATANODE,
                        2,
                        new VictimSource(VictimSource.Kind.GROUP, "7"),
                        VictimRule.Place.SAME_RACK,
                        VictimRule.Chunks.PARITY,
                        VictimRule.Plan.DEAREST));
        assertThat(profile.faults().get(1).on()).contains(FaultStep.Moment.HALF_WRITTEN);
        assertThat(profile.faults().get(2).follows()).isTrue();
        assertThat(profile.faults().get(2).victims().of().names()).containsExactly("dn3/0", "dn4/1");
    }

    @Test
    void jsonIsReadToo() {
        assertThat(read("{\"faults\": [{\"fault\": \"freeze\", \"at\": \"1s\"}], \"repetitions\": 2}")
                        .faults()
                        .get(0)
                        .fault())
                .isEqualTo(FaultKind.FREEZE);
    }

    @Test
    void aFaultLastsUntilItIsHealedWhereTheClusterCanHealIt() {
        assertThat(read("faults: [{fault: kill}]").lasts(FaultStep.defaults())).isEmpty();
        FaultProfile beyond = read("{budget: beyond, faults: [{fault: kill}]}");
        assertThat(beyond.lasts(beyond.faults().get(0))).contains(FaultStep.USUAL);
        FaultProfile slow = read("faults: [{fault: slow-link}]");
        assertThat(slow.lasts(slow.faults().get(0))).contains(FaultStep.USUAL);
        FaultProfile leader = read("{cluster: {namenodes: 3}, faults: [{fault: kill, victims: {level: leader}}]}");
        assertThat(leader.lasts(leader.faults().get(0))).contains(FaultStep.USUAL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fault: kil|faults[0].fault: expected one of kill, stop|nearest is 'kill'",
                "fault: kill, vctims: {}|no key 'faults[0].vctims'|nearest is 'faults[0].victims'",
                "fault: kill, at: 5s, on: ordered|faults[0]: a fault begins at a time or on a moment|'at' or 'on'",
                "fault: kill, on: ordered|first fault cannot begin on a moment of a repair|nearest valid is 'at: 0s'",
                "fault: kill, at: 25h|at must be from 0ms to 24h, got 90000000ms|nearest valid is 24h",
                "fault: kill, for: 0s|for must be from 1ms to 24h, got 0ms|nearest valid is 1ms",
                "fault: lossy-link, loss: 1.5|loss is a share between 0 and 1, got 1.5|nearest valid is 0.999",
                "fault: kill, victims: {count: 0}|victims: count must be from 1 to 255, got 0|nearest valid is 1",
                "fault: kill, victims: {count: 11}|kill wants 11 victims of level datanode, the cluster has 10"
                        + "|nearest valid is count: 10",
                "fault: kill, victims: {level: volume}|kill is injected into [datanode, rack, namenode, leader], got"
                        + " level volume|nearest valid is",
                "fault: flip-data, victims: {level: datanode}|flip-data is injected into [volume]|nearest valid is volume",
                "fault: kill, victims: {level: leader}|kill wants 1 victims of level leader, the cluster has 0 to spare"
                        + "|nearest valid is cluster.namenodes: 3",
                "fault: kill, victims: {level: namenode, plan: dearest}|a namenode stores no chunks|volume, datanode and"
                        + " rack",
                "fault: kill, victims: {level: rack, place: same-rack}|racks lie in no rack|volume and datanode",
                "fault: kill, victims: {of: fulest}|got 'fulest'|nearest valid is 'fullest'",
                "fault: kill, victims: {of: 'group:x'}|a group is a number from 0|nearest valid is 'group:0'",
                "fault: kill, victims: {place: diffrent-racks}|expected one of any, same-rack, different-racks"
                        + "|nearest is 'different-racks'"
            })
    void everyBadFaultIsOneLineWithTheNearestValidOne(String fault, String what, String nearest) {
        assertThatThrownBy(() -> read("faults: [{" + fault + "}]"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(nearest)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "repetitions: 0|repetitions must be from 1 to 1000, got 0|nearest valid is 1",
                "faults: []|faults must be from 1 to 100, got 0|nearest valid is 1",
                "policies: []|policies must name at least one|nearest valid is [rs-6-3-1024k]",
                "policies: [rs-12-3-1024k]|needs a datanode for each of its 15 chunks, cluster.datanodes is 10"
                        + "|nearest valid is 15",
                "cluster: {namenodes: 2}|namenodes must be 1, 3, 5, 7 or 9|nearest valid is 3",
                "cluster: {datanodes: 501}|datanodes must be from 1 to 500, got 501|nearest valid is 500",
                "cluster: {racks: 11}|racks must be from 1 to 10, got 11|nearest valid is 10",
                "cluster: {volumes: 0}|volumes must be from 1 to 64, got 0|nearest valid is 1",
                "cluster: {disks: tmfs}|expected one of dir, tmpfs, dm, got 'tmfs'|nearest is 'tmpfs'",
                "cluster: {set: [repair.atOnce=4]}|set takes namenode.KEY=VALUE|'datanode.repair.atOnce=4'",
                "workload: {files: 0}|files must be from 1 to 1000000, got 0|nearest valid is 1",
                "workload: {threads: 65}|threads must be from 1 to 64, got 65|nearest valid is 64",
                "budget: lax|expected one of strict, beyond, got 'lax'|nearest is",
                "seeds: 3|no key 'seeds'|nearest is 'seed'"
            })
    void everyBadValueIsOneLineWithTheNearestValidOne(String yaml, String what, String nearest) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(nearest)
                .hasMessageNotContaining("\n");
    }
}
