package io.ecfs.jobs;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.Before;

/** Hadoop's older suites: one through {@code FileSystem} and those through {@code FileContext}. */
public final class MainOperations {
    private static final String ORDINARY_USER = "ordinary";

    private MainOperations() {}

    private static FileSystem fileSystem() throws IOException {
        return FileSystem.newInstance(EcfsContract.uri(), new Configuration());
    }

    private static FileContext fileContext() throws IOException {
        return FileContext.getFileContext(EcfsContract.uri(), new Configuration());
    }

    public static class Contract extends FileSystemContractBaseTest {
        @Before
        public void setUp() throws IOException {
            fs = fileSystem();
        }
    }

    public static class Main extends FSMainOperationsBaseTest {
        private static final Path HOME = new Path("/user/" + ORDINARY_USER);

        /** Directory that the suite of 3.3.6 writes to, beside the one it is given. */
        private static final Path FIXED = new Path("/test");

        public Main() {
            super(HOME + "/" + UUID.randomUUID());
        }

        /** Of an ordinary user: the suite expects that permissions bind whoever runs it. */
        @Override
        protected FileSystem createFileSystem() throws Exception {
            try (FileSystem superuser = fileSystem()) {
                for (Path directory : new Path[] {HOME, FIXED}) {
                    superuser.mkdirs(directory);
                    superuser.setOwner(directory, ORDINARY_USER, null);
                }
            }
            return UserGroupInformation.createUserForTesting(ORDINARY_USER, new String[] {"users"})
                    .doAs((PrivilegedExceptionAction<FileSystem>) MainOperations::fileSystem);
        }
    }

    public static class ContextMain extends FileContextMainOperationsBaseTest {
        @Before
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

    public static class ContextCreateMkdir extends FileContextCreateMkdirBaseTest {
        @Before
        @Override
        public void setUp() throws Exception {
            fc = fileContext();
            super.setUp();
        }
    }

    public static class ContextPermission extends FileContextPermissionBase {
        @Override
        protected FileContext getFileContext() throws IOException {
            return fileContext();
        }
    }

    public static class ContextUri extends FileContextURIBase {
        @Before
        @Override
        public void setUp() throws Exception {
            fc1 = fileContext();
            fc2 = fileContext();
            super.setUp();
        }
    }

    public static class ContextUtil extends FileContextUtilBase {
        @Before
        @Override
        public void setUp() throws Exception {
            fc = fileContext();
            super.setUp();
        }
    }
}
