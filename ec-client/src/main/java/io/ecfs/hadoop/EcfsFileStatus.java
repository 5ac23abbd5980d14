package io.ecfs.hadoop;

import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.FileStatus;
import java.net.URI;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's status of a file or directory, with ECFS's own. The etag is derived from a file's inode, length and time: it
 * stays when the file is renamed, and changes when the file is replaced or appended to.
 */
public final class EcfsFileStatus extends org.apache.hadoop.fs.FileStatus implements EtagSource {
    private final transient FileStatus ours;

    private EcfsFileStatus(FileStatus ours, URI uri) {
        super(
                ours.length(),
                ours.directory(),
                ours.directory() ? 0 : 1,
                ours.directory() ? 0 : blockBytes(ours.policy()),
                ours.modifiedMillis(),
                ours.accessedMillis(),
                new FsPermission((short) ours.permissions()),
                ours.owner(),
                ours.group(),
                null,
                new Path(uri.getScheme(), uri.getAuthority(), ours.path().text()),
                attributes(ours.listed(), false, !ours.directory(), false));
        this.ours = ours;
    }

    /**
     * Default split size of a job: the size of one chunk of a group, 128 MiB, as HDFS reports for an erasure-coded
     * file. All splits of a group lie on the same datanodes.
     */
    private static long blockBytes(Policy policy) {
        return policy.groupBytes() / policy.dataChunks();
    }

    static EcfsFileStatus of(FileStatus ours, URI uri) {
        return new EcfsFileStatus(ours, uri);
    }

    /** ECFS's own status. */
    public FileStatus ours() {
        return ours;
    }

    /** Etag of a file; null for a directory. */
    @Override
    public String getEtag() {
        return ours.directory() ? null : ours.inode() + "-" + ours.length() + "-" + ours.modifiedMillis();
    }

    LocatedFileStatus located(BlockLocation[] blocks) {
        return new Located(this, blocks);
    }

    /** A status with the locations of the file's blocks. */
    static final class Located extends LocatedFileStatus implements EtagSource {
        private final transient EcfsFileStatus status;

        private Located(EcfsFileStatus status, BlockLocation[] blocks) {
            super(status, blocks);
            this.status = status;
        }

        @Override
        public String getEtag() {
            return status.getEtag();
        }
    }
}
