package io.ecfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClusterNames;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfiguredNamesTest {
    private final Configuration configuration = new Configuration(false);
    private final ClusterNames names = new ClusterNames(List.of(new ConfiguredNames(configuration)));

    @BeforeEach
    void configure() {
        configuration.set("fs.ecfs.cluster.prod", "nn-a:9700, nn-b:9700,nn-c:9700");
        configuration.set("fs.ecfs.cluster.Test", "nn-t:9700");
    }

    @Test
    void keyHasTheListOfNamenodes() throws EcfsException {
        assertThat(names.resolve(ClusterName.of("prod")))
                .containsExactly(new Address("nn-a", 9700), new Address("nn-b", 9700), new Address("nn-c", 9700));
    }

    @Test
    void caseOfTheKeyIsOfNoMatter() throws EcfsException {
        assertThat(names.resolve(ClusterName.of("test"))).containsExactly(new Address("nn-t", 9700));
    }

    @Test
    void unknownNameListsTheConfiguredOnes() {
        assertThatThrownBy(() -> names.resolve(ClusterName.of("dev")))
                .hasMessageStartingWith(
                        "no cluster 'dev'; known: prod, test; searched: fs.ecfs.cluster.dev in Hadoop's configuration");
    }

    @Test
    void badListIsRefusedWithItsKey() {
        configuration.set("fs.ecfs.cluster.prod", "nn-a:9700,nn-b");
        assertThatThrownBy(() -> names.resolve(ClusterName.of("prod")))
                .isInstanceOf(EcfsException.class)
                .hasMessage("fs.ecfs.cluster.prod: address must be host:port, got 'nn-b'");
    }
}
