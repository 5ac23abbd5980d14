package io.ecfs.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.config.ConfigReader;
import io.ecfs.fault.profile.FaultProfile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequirementsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cluster: {disks: dm}|true|false|needs the device-mapper, which this kernel lacks; nearest is 'disks: dir'",
                "cluster: {disks: dm}|false|true|cluster.disks: dm needs root",
                "cluster: {disks: tmpfs}|false|true|tmpfs needs root",
                "cluster: {shape: one}, faults: [{fault: freeze}]|true|true|freeze needs processes: nearest is 'shape:"
                        + " processes'",
                "faults: [{fault: read-only}]|false|true|read-only needs root",
                "cluster: {disks: tmpfs}, faults: [{fault: remove-device}]|true|true|nearest is 'disks: dir'",
                "workload: {cold: true}|false|false|workload.cold needs root"
            })
    void whatTheMachineLacksIsSaidInALine(String yaml, boolean root, boolean deviceMapper, String why) {
        assertThat(Requirements.missing(read(yaml), new Machine(root, deviceMapper)))
                .singleElement()
                .asString()
                .contains(why)
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "faults: [{fault: kill}, {fault: partition}, {fault: hang-device}, {fault: forge, victims: {level: volume}}]"
                        + "|false|false",
                "faults: [{fault: read-only}]|true|true",
                "cluster: {disks: dm}|true|true",
                "cluster: {disks: dm, shape: sim}|false|false"
            })
    void whatTheMachineHasIsEnough(String yaml, boolean machine, boolean needsRoot) {
        assertThat(Requirements.missing(read(yaml), new Machine(machine, machine)))
                .isEmpty();
        assertThat(Requirements.needsRoot(read(yaml))).isEqualTo(needsRoot);
    }

    private static FaultProfile read(String yaml) {
        return ConfigReader.read(FaultProfile.class, "p.yaml", "{" + yaml + "}", List.of());
    }
}
