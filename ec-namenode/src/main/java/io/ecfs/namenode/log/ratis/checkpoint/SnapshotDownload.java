package io.ecfs.namenode.log.ratis.checkpoint;

import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotReply.SnapshotFile;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches another namenode's checkpoint into an empty directory and verifies every byte of it. Blocks. */
public final class SnapshotDownload {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotDownload.class);
    private static final int READ_BYTES = 1 << 20;

    private final SnapshotSource source;
    private final String from;
    private final LogIdentity log;

    /** @param log whose state it is to be */
    public SnapshotDownload(SnapshotSource source, String from, LogIdentity log) {
        this.source = source;
        this.from = from;
        this.log = log;
    }

    /**
     * @param target directory to write; its content is deleted first
     * @param least smallest index that is of use; an older checkpoint is not downloaded
     * @return position of the checkpoint
     */
    public Position fetch(Path target, long least) throws IOException {
        return fetch(target, least, new SnapshotRequest.OpenSnapshot());
    }

    /** As {@link #fetch}, of the other's state as it is now. */
    public Position fetchFresh(Path target, long least) throws IOException {
        return fetch(target, least, new SnapshotRequest.OpenSnapshot(Optional.of(true)));
    }

    private Position fetch(Path target, long least, SnapshotRequest.OpenSnapshot open) throws IOException {
        refuseOtherLogs();
        if (!(ask(open).reply() instanceof SnapshotReply.Manifest manifest)) {
            throw new EcfsException(
                    ErrorCode.MALFORMED, "namenode " + from + " answered OpenSnapshot with no manifest");
        }
        try {
            if (manifest.index() < least) {
                throw new EcfsException(
                        ErrorCode.NOT_FOUND,
                        "newest checkpoint of namenode " + from + " ends at entry " + manifest.index() + ", needed is "
                                + least);
            }
            DirectoryTree.delete(target);
            Files.createDirectories(target);
            long bytes = 0;
            for (SnapshotFile file : manifest.files()) {
                fetch(manifest.snapshot(), file, target);
                bytes += file.bytes();
            }
            DirectoryTree.sync(target);
            LOG.info(
                    "event=checkpoint_downloaded from={} checkpoint={} files={} bytes={}",
                    from,
                    manifest.snapshot(),
                    manifest.files().size(),
                    bytes);
            return new Position(manifest.term(), manifest.index());
        } finally {
            close(manifest.snapshot());
        }
    }

    private void refuseOtherLogs() throws IOException {
        SnapshotReply reply = ask(new SnapshotRequest.DescribeLog()).reply();
        if (!(reply instanceof SnapshotReply.LogDescription its)
                || !its.log().equals(log.log().toString())) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    "namenode " + from + " serves the state of another log than " + log + ": " + reply);
        }
    }

    private void fetch(String snapshot, SnapshotFile file, Path target) throws IOException {
        Path path = file.name().indexOf('\0') >= 0
                ? target
                : target.resolve(file.name()).normalize();
        if (!path.startsWith(target) || path.equals(target)) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    "namenode " + from + " names a file outside the checkpoint: '" + file.name() + "'");
        }
        Files.createDirectories(path.getParent());
        CRC32C crc = new CRC32C();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long offset = 0; offset < file.bytes(); ) {
                int wanted = (int) Math.min(READ_BYTES, file.bytes() - offset);
                ByteBuffer bytes = ask(new SnapshotRequest.ReadSnapshot(snapshot, file.name(), offset, wanted))
                        .payload();
                if (bytes.remaining() != wanted) {
                    throw new EcfsException(
                            ErrorCode.MALFORMED,
                            "namenode " + from + " gave " + bytes.remaining() + " of " + wanted + " bytes at " + offset
                                    + " of checkpoint file " + file.name());
                }
                crc.update(bytes.duplicate());
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                offset += wanted;
            }
            channel.force(true);
        }
        if ((int) crc.getValue() != file.crc32c()) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    String.format(
                            "checkpoint file %s from namenode %s has CRC32C %08x, its manifest says %08x",
                            file.name(), from, (int) crc.getValue(), file.crc32c()));
        }
    }

    private SnapshotSource.Answer ask(SnapshotRequest request) throws IOException {
        return source.ask(from, request);
    }

    private void close(String snapshot) {
        try {
            ask(new SnapshotRequest.CloseSnapshot(snapshot));
        } catch (IOException e) {
            LOG.info("event=checkpoint_not_closed from={} checkpoint={} error={}", from, snapshot, e.toString());
        }
    }
}
