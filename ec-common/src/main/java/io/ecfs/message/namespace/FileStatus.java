package io.ecfs.message.namespace;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import java.util.Objects;
import java.util.Optional;

/**
 * Status of a file or directory in the namespace (HDFS: HdfsFileStatus).
 *
 * @param length user bytes of a file that are sealed; 0 for a directory
 * @param open true while a writer holds the lease
 * @param mode permission bits, octal 0 to 01777, and {@link #LISTED} where there is an access control list beside them
 * @param modifiedMillis milliseconds since the epoch, as {@code accessedMillis}
 * @param policy the file's own; for a directory the one that new files in it get
 * @param encoding of a directory: the side that the nearest directory from it upwards sets for what is written below
 *     it; of a file that is open, in answers to requests that name its path: that of its directory. Empty: none is set,
 *     so the client encodes; also before {@link FeatureLevel#ENCODING_SIDES}
 * @param packedUpTo length up to which files share groups, 0: none does; of what {@code encoding} is of. Empty: none is
 *     set, so the client chooses; also before {@link FeatureLevel#PACKS}
 * @param ring of a directory: that on whose volumes the groups of new files below it lie. Empty: on those of none
 */
public record FileStatus(
        FilePath path,
        InodeId inode,
        boolean directory,
        long length,
        boolean open,
        int mode,
        String owner,
        String group,
        long modifiedMillis,
        long accessedMillis,
        Policy policy,
        Optional<EncodingSide> encoding,
        Optional<Long> packedUpTo,
        Optional<RingId> ring) {
    /** In a mode: there are more entries than the mode stands for. */
    public static final int LISTED = 010000;

    public FileStatus {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(inode, "inode");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(encoding, "encoding");
        Objects.requireNonNull(ring, "ring");
        if (packedUpTo.orElse(0L) < 0) {
            throw new IllegalArgumentException("files of " + path + " packed up to " + packedUpTo.get() + " bytes");
        }
    }

    /** Of a file, or where no directory sets a ring. */
    public FileStatus(
            FilePath path,
            InodeId inode,
            boolean directory,
            long length,
            boolean open,
            int mode,
            String owner,
            String group,
            long modifiedMillis,
            long accessedMillis,
            Policy policy,
            Optional<EncodingSide> encoding,
            Optional<Long> packedUpTo) {
        this(
                path,
                inode,
                directory,
                length,
                open,
                mode,
                owner,
                group,
                modifiedMillis,
                accessedMillis,
                policy,
                encoding,
                packedUpTo,
                Optional.empty());
    }

    /** Where no directory sets a side, a limit of packing or a ring. */
    public FileStatus(
            FilePath path,
            InodeId inode,
            boolean directory,
            long length,
            boolean open,
            int mode,
            String owner,
            String group,
            long modifiedMillis,
            long accessedMillis,
            Policy policy) {
        this(
                path,
                inode,
                directory,
                length,
                open,
                mode,
                owner,
                group,
                modifiedMillis,
                accessedMillis,
                policy,
                Optional.empty(),
                Optional.empty());
    }

    /** The same with another side, or with none. */
    public FileStatus with(Optional<EncodingSide> side) {
        return with(side, packedUpTo, ring);
    }

    /** The same with another limit of packing, or with none. */
    public FileStatus packedUpTo(Optional<Long> limit) {
        return with(encoding, limit, ring);
    }

    /** The same in another ring, or in none. */
    public FileStatus inRing(Optional<RingId> other) {
        return with(encoding, packedUpTo, other);
    }

    private FileStatus with(Optional<EncodingSide> side, Optional<Long> limit, Optional<RingId> inRing) {
        return new FileStatus(
                path,
                inode,
                directory,
                length,
                open,
                mode,
                owner,
                group,
                modifiedMillis,
                accessedMillis,
                policy,
                side,
                limit,
                inRing);
    }

    /** The permission bits alone. */
    public int permissions() {
        return mode & ~LISTED;
    }

    public boolean listed() {
        return (mode & LISTED) != 0;
    }
}
