package io.ecfs.jobs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.tools.contract.AbstractContractDistCpTest;

/** DistCp's suite: it copies to and from the local file system. */
public final class DistCpContract {
    private DistCpContract() {}

    public static class DistCp extends AbstractContractDistCpTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }
}
