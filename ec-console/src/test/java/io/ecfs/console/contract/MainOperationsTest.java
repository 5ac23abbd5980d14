package io.ecfs.console.contract;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.UUID;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;

/** Hadoop's older suites: one through {@code FileSystem} and those through {@code FileContext}. */
@EveryPolicy
class MainOperationsTest {
    @Parameter
    private String policy;

    @BeforeEach
    void codeNewFiles() throws IOException {
        SharedCluster.codeWith(policy);
    }

    private static FileSystem fileSystem() throws IOException {
        return FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configuration());
    }

    private static FileContext fileContext() throws IOException {
        return FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configuration());
    }

    @Nested
    class Contract extends FileSystemContractBaseTest {
        @BeforeEach
        void setUp() throws IOException {
            fs = fileSystem();
        }
    }

    @Nested
    class Main extends FSMainOperationsBaseTest {
        Main() {
            super("/user/" + SharedCluster.ORDINARY_USER + "/" + UUID.randomUUID());
        }

        /** Of an ordinary user: the suite expects that permissions bind whoever runs it. */
        @Override
        protected FileSystem createFileSystem() throws Exception {
            return SharedCluster.ordinaryUser()
                    .doAs((PrivilegedExceptionAction<FileSystem>) MainOperationsTest::fileSystem);
        }
    }

    @Nested
    class ContextMain extends FileContextMainOperationsBaseTest {
        @BeforeEach
        @Override
        public void setUp() throws Exception {
            fc = fileContext();
            super.setUp();
        }

        @Override
        protected boolean listCorruptedBlocksSupported() {
            return true;
        }
    }

    @Nested
    class ContextCreateMkdir extends FileContextCreateMkdirBaseTest {
        @BeforeEach
        @Override
        public void setUp() throws Exception {
            fc = fileContext();
            super.setUp();
        }
    }

    @Nested
    class ContextPermission extends FileContextPermissionBase {
        @Override
        protected FileContext getFileContext() throws IOException {
            return fileContext();
        }
    }

    @Nested
    class ContextUri extends FileContextURIBase {
        @BeforeEach
        @Override
        public void setUp() throws Exception {
            fc1 = fileContext();
            fc2 = fileContext();
            super.setUp();
        }
    }

    @Nested
    class ContextUtil extends FileContextUtilBase {
        @BeforeEach
        @Override
        public void setUp() throws Exception {
            fc = fileContext();
            super.setUp();
        }
    }
}
