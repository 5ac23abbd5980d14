package io.ecfs.console.contract;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.tools.contract.AbstractContractDistCpTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;

/** DistCp between the local file system and ours, both ways. */
@Tag("soak")
@EveryPolicy
class DistCpTest {
    @Parameter
    private String policy;

    @BeforeEach
    void codeNewFiles() throws IOException {
        SharedCluster.codeWith(policy);
    }

    @Nested
    class Contract extends AbstractContractDistCpTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }
}
