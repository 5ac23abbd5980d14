package io.ecfs.jobs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCopyFromLocalTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractEtagTest;
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

/** The suites that Hadoop calls its file system contract, as far as Hadoop 3.3.6 has them. */
public final class FileSystemContract {
    private FileSystemContract() {}

    public static class Append extends AbstractContractAppendTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class Concat extends AbstractContractConcatTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class ContentSummary extends AbstractContractContentSummaryTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class CopyFromLocal extends AbstractContractCopyFromLocalTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class Create extends AbstractContractCreateTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class Delete extends AbstractContractDeleteTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class Etag extends AbstractContractEtagTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class GetFileStatus extends AbstractContractGetFileStatusTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class LeaseRecovery extends AbstractContractLeaseRecoveryTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class Mkdir extends AbstractContractMkdirTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class MultipartUploader extends AbstractContractMultipartUploaderTest {
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

    public static class Open extends AbstractContractOpenTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class PathHandle extends AbstractContractPathHandleTest {
        public PathHandle(String name, Options.HandleOpt[] options, boolean serialized) {
            super(name, options, serialized);
        }

        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class Rename extends AbstractContractRenameTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class RootDirectory extends AbstractContractRootDirectoryTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class SafeMode extends AbstractContractSafeModeTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class Seek extends AbstractContractSeekTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class SetTimes extends AbstractContractSetTimesTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class StreamIOStatistics extends AbstractContractStreamIOStatisticsTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class Unbuffer extends AbstractContractUnbufferTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }

    public static class VectoredRead extends AbstractContractVectoredReadTest {
        public VectoredRead(String buffers) {
            super(buffers);
        }

        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new EcfsContract(configuration);
        }
    }
}
