package io.ecfs.jobs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractBulkDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractGetEnclosingRoot;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** The suites of the file system contract that Hadoop has from 3.4.1 on. */
public final class NewerContract {
    private NewerContract() {}

    public static class BulkDelete extends AbstractContractBulkDeleteTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }

        @Override
        protected int getExpectedPageSize() {
            return 250;
        }
    }

    public static class EnclosingRoot extends AbstractContractGetEnclosingRoot {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }
}
