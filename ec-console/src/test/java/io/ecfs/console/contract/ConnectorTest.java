package io.ecfs.console.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ecfs.hadoop.EcfsCreate;
import io.ecfs.hadoop.EcfsFileSystem;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RawPathHandle;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What no suite of Hadoop's asks of a connector. */
@Tag("contract")
@ExtendWith(SharedCluster.class)
class ConnectorTest {
    private static final Path DIRECTORY = new Path("/connector");
    private static final Path FILE = new Path(DIRECTORY, "file");

    private FileSystem fs;

    @BeforeEach
    void open() throws IOException {
        SharedCluster.codeWith("rs-3-2-64k");
        fs = FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configuration());
        fs.mkdirs(DIRECTORY);
    }

    @AfterEach
    void delete() throws IOException {
        fs.delete(DIRECTORY, true);
        fs.close();
    }

    private void write(Path path, int length) throws IOException {
        try (FSDataOutputStream out = fs.create(path)) {
            out.write(new byte[length]);
        }
    }

    private static FileSystem asOrdinaryUser() throws Exception {
        return SharedCluster.ordinaryUser().doAs((PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configuration()));
    }

    @Test
    void listsBindWhomTheyNameAndChildrenInheritThem() throws Exception {
        fs.setPermission(DIRECTORY, new FsPermission("700"));
        try (FileSystem theirs = asOrdinaryUser()) {
            assertThrows(AccessControlException.class, () -> theirs.listStatus(DIRECTORY));
            List<AclEntry> entries = AclEntry.parseAclSpec(
                    "user:" + SharedCluster.ORDINARY_USER + ":rwx,default:user:" + SharedCluster.ORDINARY_USER + ":rw-",
                    true);
            fs.modifyAclEntries(DIRECTORY, entries);
            assertTrue(fs.getFileStatus(DIRECTORY).hasAcl());
            theirs.listStatus(DIRECTORY);
            write(FILE, 10);
            theirs.access(FILE, FsAction.READ);
            assertEquals(
                    fs.getAclStatus(FILE).getEntries(),
                    fileContext().getAclStatus(FILE).getEntries());
            fs.removeAcl(DIRECTORY);
            AccessControlException denied =
                    assertThrows(AccessControlException.class, () -> theirs.listStatus(DIRECTORY));
            assertTrue(denied.getMessage().contains(SharedCluster.ORDINARY_USER), denied.getMessage());
        }
    }

    private static FileContext fileContext() throws IOException {
        return FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configuration());
    }

    @Test
    void attributesComeBackAndAMissingOneIsAnError() throws IOException {
        write(FILE, 10);
        fs.setXAttr(FILE, "user.a", new byte[] {1, 2}, EnumSet.of(XAttrSetFlag.CREATE));
        fs.setXAttr(FILE, "user.b", null);
        assertArrayEquals(new byte[] {1, 2}, fs.getXAttr(FILE, "user.a"));
        assertEquals(List.of("user.a", "user.b"), fileContext().listXAttrs(FILE));
        assertThrows(IOException.class, () -> fs.getXAttr(FILE, "user.none"));
        assertThrows(
                IOException.class, () -> fs.setXAttr(FILE, "user.a", new byte[0], EnumSet.of(XAttrSetFlag.CREATE)));
        fs.removeXAttr(FILE, "user.a");
        assertEquals(Map.of("user.b", 0).keySet(), fs.getXAttrs(FILE).keySet());
    }

    @Test
    void aQuotaIsToldAsUsedExceededAndTakenAway() throws IOException {
        long group = 5L * (128 << 20);
        fs.setQuota(DIRECTORY, 3, group + 1000);
        write(FILE, 300);
        QuotaUsage usage = fs.getQuotaUsage(DIRECTORY);
        assertEquals(2, usage.getFileAndDirectoryCount());
        assertEquals(300 + 2 * 128, usage.getSpaceConsumed(), "the bytes, and two parity cells of 128");
        ContentSummary summary = fs.getContentSummary(DIRECTORY);
        assertEquals(556, summary.getSpaceConsumed());
        assertEquals(300, summary.getLength());
        assertEquals(3, summary.getQuota());

        write(new Path(DIRECTORY, "second"), 300);
        assertThrows(ClusterStorageCapacityExceededException.class, () -> fs.mkdirs(new Path(DIRECTORY, "too-many")));
        fs.setQuota(DIRECTORY, HdfsConstants.QUOTA_RESET, group + 1000);
        // A group of its own is charged whole while it is open, what a packed file takes when it is closed.
        refusedForItsSpace(false);
        writeSmall(new Path(DIRECTORY, "fits"), true);
        fs.delete(new Path(DIRECTORY, "fits"), false);
        fs.setQuota(DIRECTORY, HdfsConstants.QUOTA_DONT_SET, 2 * 556 + 1000);
        refusedForItsSpace(true);
        fs.setQuota(DIRECTORY, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
        write(new Path(DIRECTORY, "third"), 300);
        assertEquals(-1, fs.getContentSummary(DIRECTORY).getSpaceQuota());
    }

    private void refusedForItsSpace(boolean packed) {
        Path path = new Path(DIRECTORY, "too-much");
        ClusterStorageCapacityExceededException full =
                assertThrows(ClusterStorageCapacityExceededException.class, () -> writeSmall(path, packed));
        assertTrue(full.getMessage().contains(DIRECTORY.toString()), full.getMessage());
    }

    private void writeSmall(Path path, boolean packed) throws IOException {
        EcfsCreate creation = ((EcfsFileSystem) fs).createFile(path);
        creation.must(EcfsCreate.PACKED, Boolean.toString(packed));
        try (FSDataOutputStream out = creation.build()) {
            out.write(new byte[600]);
        }
    }

    @Test
    void aSummaryGoesDownTheTree() throws IOException {
        write(new Path(DIRECTORY, "a/b/c"), 100);
        write(new Path(DIRECTORY, "a/d"), 23);
        ContentSummary summary = fs.getContentSummary(DIRECTORY);
        assertEquals(123, summary.getLength());
        assertEquals(2, summary.getFileCount());
        assertEquals(3, summary.getDirectoryCount());
        assertEquals("rs-3-2-64k", summary.getErasureCodingPolicy());
        assertEquals(1, fs.getContentSummary(new Path(DIRECTORY, "a/d")).getFileCount());
    }

    @Test
    void aHandleIsValidWhereOnlyItsBytesCome() throws IOException {
        write(FILE, 77);
        RawPathHandle bytes = new RawPathHandle(fs.getPathHandle(fs.getFileStatus(FILE), Options.HandleOpt.content())
                .bytes());
        fs.rename(FILE, new Path(DIRECTORY, "moved"));
        try (FSDataInputStream in = fs.open(bytes)) {
            assertEquals(77, in.readAllBytes().length);
        }
    }

    @Test
    void aFileIsCodedAsItsMakerWishes() throws IOException {
        try (FSDataOutputStream out = ((EcfsFileSystem) fs)
                .createFile(FILE)
                .policy("replication-3-64k")
                .recursive()
                .build()) {
            out.write(1);
        }
        assertEquals("replication-3-64k", fs.getContentSummary(FILE).getErasureCodingPolicy());
        assertThrows(
                IllegalArgumentException.class,
                () -> fs.createFile(FILE).must("no.such.option", true).build());
        assertThrows(
                IllegalArgumentException.class,
                () -> fs.createFile(FILE).must(EcfsCreate.POLICY, "no-policy").build());
        assertThrows(
                IllegalArgumentException.class,
                () -> fs.createFile(FILE).must(EcfsCreate.PACKED, "perhaps").build());
    }

    @Test
    void whatIsThrownAwayLiesInTheTrashOfItsUser() throws IOException {
        write(FILE, 10);
        Configuration keeping = SharedCluster.configuration();
        keeping.set("fs.trash.interval", "60");
        assertTrue(Trash.moveToAppropriateTrash(fs, FILE, keeping));
        assertFalse(fs.exists(FILE));
        assertTrue(fs.exists(new Path(fs.getTrashRoot(FILE), "Current/connector/file")));
        fs.delete(fs.getTrashRoot(FILE), true);
    }

    @Test
    void capabilitiesAreTrue() throws IOException {
        for (String able : List.of(
                CommonPathCapabilities.FS_ACLS,
                CommonPathCapabilities.FS_XATTRS,
                CommonPathCapabilities.FS_PATHHANDLES,
                CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME,
                CommonPathCapabilities.FS_LIST_CORRUPT_FILE_BLOCKS)) {
            assertTrue(fs.hasPathCapability(DIRECTORY, able), able);
        }
        for (String unable : List.of(CommonPathCapabilities.FS_SYMLINKS, CommonPathCapabilities.FS_SNAPSHOTS)) {
            assertFalse(fs.hasPathCapability(DIRECTORY, unable), unable);
        }
        fs.msync();
        assertFalse(fs.listCorruptFileBlocks(DIRECTORY).hasNext());
    }
}
