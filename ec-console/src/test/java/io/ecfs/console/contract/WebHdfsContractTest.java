package io.ecfs.console.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractBulkDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCopyFromLocalTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractRootDirectoryTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.contract.ContractTestUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's file system contract by its own WebHDFS client. */
@Tag("contract")
@Tag("soak")
@ExtendWith(SharedCluster.class)
class WebHdfsContractTest {
    @BeforeEach
    void codeNewFiles() throws IOException {
        SharedCluster.codeWith("rs-6-3-64k");
    }

    @Nested
    class BulkDelete extends AbstractContractBulkDeleteTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class ContentSummary extends AbstractContractContentSummaryTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class CopyFromLocal extends AbstractContractCopyFromLocalTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class Create extends AbstractContractCreateTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class Delete extends AbstractContractDeleteTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class GetFileStatus extends AbstractContractGetFileStatusTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class Mkdir extends AbstractContractMkdirTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class Open extends AbstractContractOpenTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class Rename extends AbstractContractRenameTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class RootDirectory extends AbstractContractRootDirectoryTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class Seek extends AbstractContractSeekTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }

        /** Before the client has read a byte it takes a file to be empty, so one is read first. */
        @Test
        @Override
        public void testSeekPastEndOfFileThenReseekAndRead() throws IOException {
            Path file = path("past");
            ContractTestUtils.createFile(getFileSystem(), file, true, new byte[10]);
            try (FSDataInputStream in = getFileSystem().open(file)) {
                assertEquals(0, in.read());
                in.seek(11);
                assertEquals(-1, in.read());
                in.seek(1);
                assertEquals(0, in.read());
            }
        }

        /** The client itself refuses it, with another exception than the contract wants. */
        @Test
        @Override
        public void testNegativeSeek() throws IOException {
            Path file = path("negative");
            ContractTestUtils.touch(getFileSystem(), file);
            try (FSDataInputStream in = getFileSystem().open(file)) {
                in.seek(-1);
                assertThrows(IllegalArgumentException.class, in::read);
            }
        }
    }

    @Nested
    class SetTimes extends AbstractContractSetTimesTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class Append extends AbstractContractAppendTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }

    @Nested
    class Concat extends AbstractContractConcatTest {
        @Override
        protected AbstractFSContract createContract(Configuration configuration) {
            return new WebHdfsContract(configuration);
        }
    }
}
