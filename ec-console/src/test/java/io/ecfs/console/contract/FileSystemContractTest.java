package io.ecfs.console.contract;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractBulkDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCopyFromLocalTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractEtagTest;
import org.apache.hadoop.fs.contract.AbstractContractGetEnclosingRoot;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractLeaseRecoveryTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractMultipartUploaderTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractPathHandleTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractRootDirectoryTest;
import org.apache.hadoop.fs.contract.AbstractContractSafeModeTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractContractStreamIOStatisticsTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;

/** The suites that Hadoop calls its file system contract. */
@EveryPolicy
class FileSystemContractTest {
    @Parameter
    private String policy;

    @BeforeEach
    void codeNewFiles() throws IOException {
        SharedCluster.codeWith(policy);
    }

    @Nested
    class BulkDelete extends AbstractContractBulkDeleteTest {
        @Override
        protected int getExpectedPageSize() {
            return 250;
        }

        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class ContentSummary extends AbstractContractContentSummaryTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class CopyFromLocal extends AbstractContractCopyFromLocalTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Create extends AbstractContractCreateTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Delete extends AbstractContractDeleteTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Etag extends AbstractContractEtagTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class GetFileStatus extends AbstractContractGetFileStatusTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class LeaseRecovery extends AbstractContractLeaseRecoveryTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Mkdir extends AbstractContractMkdirTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Open extends AbstractContractOpenTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Rename extends AbstractContractRenameTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class RootDirectory extends AbstractContractRootDirectoryTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class SafeMode extends AbstractContractSafeModeTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Seek extends AbstractContractSeekTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class SetTimes extends AbstractContractSetTimesTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class StreamIOStatistics extends AbstractContractStreamIOStatisticsTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Unbuffer extends AbstractContractUnbufferTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class EnclosingRoot extends AbstractContractGetEnclosingRoot {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class VectoredRead extends AbstractContractVectoredReadTest {
        VectoredRead(String buffers) {
            super(buffers);
        }

        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Append extends AbstractContractAppendTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class Concat extends AbstractContractConcatTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class PathHandle extends AbstractContractPathHandleTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    @Nested
    class MultipartUploader extends AbstractContractMultipartUploaderTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }

        @Override
        protected int partSizeInBytes() {
            return 64 << 10;
        }

        @Override
        protected boolean finalizeConsumesUploadIdImmediately() {
            return true;
        }

        @Override
        protected boolean supportsConcurrentUploadsToSamePath() {
            return true;
        }
    }
}
