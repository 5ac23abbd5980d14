package io.ecfs.namenode.log.ratis.checkpoint;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotReply.SnapshotFile;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.log.ratis.checkpoint.Checkpoints.Checkpoint;
import io.ecfs.wire.Envelope;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * Serves checkpoints to namenodes that were away too long. Works on any namenode; the late one asks its leader. A file
 * is found only by a name that the manifest gave, so a request cannot reach outside its checkpoint. Calls block on the
 * disk: not for event loops. Safe for use by many threads.
 */
public final class SnapshotServer {
    /** Most bytes of one answer. */
    public static final int MOST_BYTES = 4 << 20;

    private static final int BUFFER_BYTES = 1 << 20;

    /**
     * Holds the newest checkpoint, after making one when the log no longer reaches back to it or a fresh one is asked
     * for.
     */
    public interface Opener {
        Optional<Checkpoint> open(boolean fresh) throws IOException;
    }

    /** The work for one request. */
    private interface Work {
        SnapshotSource.Answer run() throws IOException;
    }

    private static final FunctionTable<SnapshotRequest, SnapshotServer, Work> HANDLERS =
            FunctionTable.<SnapshotRequest, SnapshotServer, Work>of(SnapshotRequest.class)
                    .on(
                            SnapshotRequest.OpenSnapshot.class,
                            (server, open) -> () -> server.open(open.fresh().orElse(false)))
                    .on(SnapshotRequest.ReadSnapshot.class, (server, read) -> () -> server.read(read))
                    .on(SnapshotRequest.CloseSnapshot.class, (server, close) -> () -> server.close(close))
                    .on(SnapshotRequest.DescribeLog.class, (server, describe) -> server::describeLog)
                    .build();

    private final Checkpoints checkpoints;
    private final Opener opener;
    private final Supplier<SnapshotReply.LogDescription> description;

    public SnapshotServer(Checkpoints checkpoints, Opener opener, Supplier<SnapshotReply.LogDescription> description) {
        this.checkpoints = checkpoints;
        this.opener = opener;
        this.description = description;
    }

    /**
     * Answers one request as it came over the wire; the request's payload is the caller's to release.
     *
     * @throws EcfsException {@code NOT_FOUND} when the checkpoint or the file is not (or no longer) served here
     */
    public Envelope serve(SnapshotRequest request) throws IOException {
        SnapshotSource.Answer answer = answer(request);
        return new Envelope(answer.reply(), Unpooled.wrappedBuffer(answer.payload()));
    }

    public SnapshotSource.Answer answer(SnapshotRequest request) throws IOException {
        return HANDLERS.apply(this, request).run();
    }

    private SnapshotSource.Answer close(SnapshotRequest.CloseSnapshot close) {
        checkpoints.release(close.snapshot());
        return new SnapshotSource.Answer(new SnapshotReply.Closed(), ByteBuffer.allocate(0));
    }

    private SnapshotSource.Answer describeLog() {
        return new SnapshotSource.Answer(description.get(), ByteBuffer.allocate(0));
    }

    private SnapshotSource.Answer open(boolean fresh) throws IOException {
        Checkpoint checkpoint = opener.open(fresh)
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.NOT_FOUND, "this namenode has no checkpoint of its state yet; ask again later"));
        try {
            List<SnapshotFile> files = new ArrayList<>();
            for (Path file : DirectoryTree.files(checkpoint.directory())) {
                files.add(describe(checkpoint.directory(), file));
                checkpoints.use(checkpoint.name());
            }
            SnapshotReply manifest = new SnapshotReply.Manifest(
                    checkpoint.name(),
                    checkpoint.position().term(),
                    checkpoint.position().index(),
                    files);
            return new SnapshotSource.Answer(manifest, ByteBuffer.allocate(0));
        } catch (IOException | RuntimeException e) {
            checkpoints.release(checkpoint.name());
            throw e;
        }
    }

    private SnapshotSource.Answer read(SnapshotRequest.ReadSnapshot request) throws IOException {
        if (request.bytes() > MOST_BYTES) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a snapshot read gives at most " + MOST_BYTES + " bytes, asked for " + request.bytes());
        }
        Checkpoint checkpoint = checkpoints
                .use(request.snapshot())
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.NOT_FOUND,
                        "checkpoint " + request.snapshot() + " is not (or no longer) here; open a snapshot again"));
        Path file = inside(checkpoint, request.file());
        ByteBuffer bytes;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long left = channel.size() - request.offset();
            bytes = ByteBuffer.allocate((int) Math.max(0, Math.min(left, request.bytes())));
            while (bytes.hasRemaining() && channel.read(bytes, request.offset() + bytes.position()) >= 0) {
                // Until the buffer is full: the file is immutable, its size was just read.
            }
        } catch (NoSuchFileException e) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND, "file " + request.file() + " of checkpoint " + checkpoint.name(), e);
        }
        bytes.flip();
        return new SnapshotSource.Answer(new SnapshotReply.Bytes(bytes.remaining()), bytes);
    }

    private static Path inside(Checkpoint checkpoint, String name) throws EcfsException {
        Path root = checkpoint.directory();
        Path file = name.indexOf('\0') >= 0 ? root : root.resolve(name).normalize();
        if (!file.startsWith(root) || file.equals(root) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND, "checkpoint " + checkpoint.name() + " has no file '" + name + "'");
        }
        return file;
    }

    private static SnapshotFile describe(Path root, Path file) throws IOException {
        CRC32C crc = new CRC32C();
        long bytes = 0;
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(buffer.clear()) >= 0) {
                buffer.flip();
                bytes += buffer.remaining();
                crc.update(buffer);
            }
        }
        return new SnapshotFile(root.relativize(file).toString(), bytes, (int) crc.getValue());
    }
}
