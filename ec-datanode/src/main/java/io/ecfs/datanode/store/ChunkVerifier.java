package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.FileRegion;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.transfer.ReadRange;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of a volume's chunks, verifies them against the index, and stores the verdict. A chunk whose files
 * are lost, cannot be read or do not match becomes {@code CORRUPT} and is retained; only a failure of its disk fails
 * the volume. On the volume's threads, calls on one chunk in order.
 */
final class ChunkVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(ChunkVerifier.class);

    private final String uuid;
    private final ChunkStorage storage;
    private final ChunkIndex chunks;
    private final Set<ChunkId> condemned = ConcurrentHashMap.newKeySet();
    private final VolumeHealth health;

    ChunkVerifier(String uuid, ChunkStorage storage, ChunkIndex chunks, VolumeHealth health) {
        this.uuid = uuid;
        this.storage = storage;
        this.chunks = chunks;
        this.health = health;
    }

    /**
     * Reads chunk bytes [offset, offset + bytes) with the checksum windows that cover them as a {@link ChunkPayload};
     * they are not verified here.
     *
     * @param into room for {@link ReadRange#payloadBytesFor}
     * @throws EcfsException {@code CHUNK_MISSING}, {@code INVALID_ARGUMENT} past the end, {@code CHUNK_CORRUPT} when
     *     the chunk is known to be or its files are too short
     */
    ReadRange read(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        StoredChunk chunk = sound(id);
        ReadRange range = range(chunk, offset, bytes);
        requireWhole(chunk, "read ", () -> storage.read(chunk.files(), range.from(), range.to(), into));
        return range;
    }

    /**
     * As {@link #read}, but the checksums alone. A chunk being written has those of whole windows and of all its bytes;
     * for another range the last window's checksum would cover more bytes than requested.
     *
     * @param into room for those of {@link ReadRange#checksumBytesFor}
     * @throws EcfsException {@code UNSUPPORTED} for another range of a chunk that is being written
     */
    ReadRange checksums(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        StoredChunk chunk = sound(id);
        ReadRange range = range(chunk, offset, bytes);
        if (chunk.state() == ChunkState.BEING_WRITTEN && range.to() != offset + bytes) {
            throw new EcfsException(ErrorCode.UNSUPPORTED, id + " on volume " + uuid + " is still being written");
        }
        requireWhole(
                chunk,
                "read the checksums of ",
                () -> storage.checksums(chunk.files(), range.from(), range.to(), into));
        return range;
    }

    /** Judges the chunk when its files are lost, too short or another chunk's. */
    private void requireWhole(StoredChunk chunk, String what, VolumeHealth.DiskAction<Boolean> read)
            throws EcfsException {
        boolean whole =
                health.reading(what + chunk.chunk(), () -> readable(chunk, read).orElse(false));
        if (!whole) {
            judge(chunk, false);
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    chunk.chunk() + " on volume " + uuid + " is shorter on disk than its " + chunk.bytes()
                            + " bytes, cannot be read, or has another chunk's files");
        }
    }

    /**
     * As {@link #read}, but lends the bytes of a published chunk in their file.
     *
     * @param checksums room for those of {@link ReadRange#payloadBytesFor}
     * @return empty when they must be read
     */
    Optional<FileRegion> lend(ChunkId id, long offset, int bytes, ByteBuf checksums) throws EcfsException {
        StoredChunk chunk = sound(id);
        ReadRange range = range(chunk, offset, bytes);
        if (chunk.state() != ChunkState.FINALISED) {
            return Optional.empty();
        }
        // Bytes that cannot be lent are read, and the chunk is judged then.
        return unjudged(
                "lend " + id,
                () -> storage.lend(chunk.files(), range.from(), range.to(), checksums)
                        .map(lent -> new FileRegion(range, lent)));
    }

    /**
     * As {@link #read}, but judges nothing: what cannot be read may lie where nobody asked for bytes.
     *
     * @param into has nothing more when the result is empty
     * @return empty when the range must be read in parts
     */
    Optional<ReadRange> tryRead(ChunkId id, long offset, int bytes, ByteBuf into) throws EcfsException {
        StoredChunk chunk = sound(id);
        ReadRange range = range(chunk, offset, bytes);
        return unjudged(
                "read " + id,
                () -> storage.read(chunk.files(), range.from(), range.to(), into)
                        ? Optional.of(range)
                        : Optional.empty());
    }

    /** Result of the action; empty, too, when a file of the chunk is missing or cannot be read and the disk works. */
    private <T> Optional<T> unjudged(String what, VolumeHealth.DiskAction<Optional<T>> action) throws EcfsException {
        return health.reading(what, () -> {
            try {
                return action.run();
            } catch (UnreadableFileException e) {
                return Optional.empty();
            } catch (NoSuchFileException e) {
                health.requireDiskThere(e);
                return Optional.empty();
            }
        });
    }

    /**
     * Result of the action; empty when a file of the chunk is missing or cannot be read and the disk works. Read errors
     * of a chunk that is corrupt already do not count against the disk.
     */
    private <T> Optional<T> readable(StoredChunk chunk, VolumeHealth.DiskAction<T> action) throws IOException {
        try {
            return Optional.of(action.run());
        } catch (UnreadableFileException e) {
            if (chunk.state() != ChunkState.CORRUPT) {
                health.unreadable(e);
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            health.requireDiskThere(e);
            return Optional.empty();
        }
    }

    private static ReadRange range(StoredChunk chunk, long offset, int bytes) throws EcfsException {
        return ReadRange.covering(offset, bytes, chunk.bytes())
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "read of " + bytes + " bytes at " + offset + " of " + chunk.chunk() + ", which has "
                                + chunk.bytes()));
    }

    /**
     * Files of a published chunk, for readers of this machine.
     *
     * @throws EcfsException {@code CHUNK_MISSING}, {@code CHUNK_CORRUPT}, {@code UNSUPPORTED} while the chunk is being
     *     written and when it has no files that they can open
     */
    ChunkReply.LocalFiles local(ChunkId id) throws EcfsException {
        StoredChunk chunk = sound(id);
        if (chunk.state() == ChunkState.BEING_WRITTEN) {
            throw new EcfsException(
                    ErrorCode.CHUNK_INCOMPLETE,
                    id + " on volume " + uuid + " is still being written: ask for its bytes");
        }
        if (!onFiles(chunk, "find " + id, () -> storage.own(chunk.files()))) {
            judge(chunk, false);
            throw new EcfsException(ErrorCode.CHUNK_CORRUPT, id + " on volume " + uuid + " has another chunk's files");
        }
        return onFiles(chunk, "find " + id, () -> storage.local(chunk.files(), chunk.bytes()))
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.UNSUPPORTED, "volume " + uuid + " has no file of " + id + ": ask for its bytes"));
    }

    private StoredChunk sound(ChunkId id) throws EcfsException {
        StoredChunk chunk = chunks.existing(id, uuid);
        if (chunk.state() == ChunkState.CORRUPT) {
            throw new EcfsException(ErrorCode.CHUNK_CORRUPT, id + " on volume " + uuid + " is corrupt");
        }
        return chunk;
    }

    /** Reads all of the chunk and compares it with its checksums; the verdict is stored on disk. */
    void verify(StoredChunk chunk) throws EcfsException {
        boolean sound = isSound(chunk, "verify " + chunk.chunk(), () -> matchesItsChecksums(chunk));
        judge(chunk, sound && !condemned.contains(chunk.chunk()));
    }

    /**
     * Checks the bytes of a published chunk, if a start has seen only its header.
     *
     * @throws EcfsException {@code CHUNK_CORRUPT}
     */
    void requireCompared(StoredChunk chunk) throws EcfsException {
        if (chunk.uncompared()) {
            verify(chunk);
            StoredChunk now = sound(chunk.chunk());
            chunks.keep(new StoredChunk(now.files(), now.state(), now.header(), now.bytes()));
        }
    }

    /** Marks the chunk corrupt; no later check of its checksums makes it valid again while this process runs. */
    void condemn(StoredChunk chunk) throws EcfsException {
        condemned.add(chunk.chunk());
        judge(chunk, false);
    }

    private boolean isSound(StoredChunk chunk, String what, VolumeHealth.DiskAction<Boolean> check)
            throws EcfsException {
        return health.onDisk(
                what,
                () -> readable(chunk, () -> {
                            storage.requireBoth(chunk.files());
                            return check.run();
                        })
                        .orElse(false));
    }

    /**
     * Compares a range of a published chunk with its checksums, its length and, at the beginning, its header. A
     * mismatch leads to {@link #verify} of the whole chunk.
     *
     * @param from a multiple of the checksum window
     * @return false when the verdict of the whole is {@code CORRUPT} now
     */
    boolean scan(StoredChunk chunk, long from, long to) throws EcfsException {
        boolean sound = isSound(
                chunk,
                "scrub " + chunk.chunk(),
                () -> (from > 0 || storage.readHeader(chunk.files()).equals(chunk.header()))
                        && storage.longEnough(chunk.files(), chunk.bytes())
                        && storage.verifiedEnd(chunk.files(), from, to) == to);
        if (!sound) {
            verify(chunk);
        }
        return sound
                || chunks.find(chunk.chunk())
                        .filter(now -> now.state() == ChunkState.CORRUPT)
                        .isEmpty();
    }

    void onFiles(StoredChunk chunk, String what, VolumeHealth.DiskStep step) throws EcfsException {
        onFiles(chunk, what, () -> {
            step.run();
            return this;
        });
    }

    /**
     * As {@link VolumeHealth#onDisk}, but a file of the chunk that is not there or cannot be read makes only the chunk
     * corrupt.
     */
    <T> T onFiles(StoredChunk chunk, String what, VolumeHealth.DiskAction<T> action) throws EcfsException {
        Optional<T> done = health.onDisk(what, () -> readable(chunk, action));
        if (done.isEmpty()) {
            judge(chunks.find(chunk.chunk()).orElse(chunk), false);
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    chunk.chunk() + " on volume " + uuid + " has lost a file, or one cannot be read: " + what);
        }
        return done.get();
    }

    private boolean matchesItsChecksums(StoredChunk chunk) throws IOException {
        Optional<ChunkHeader> header = storage.readHeader(chunk.files());
        if (header.isEmpty()) {
            return false;
        }
        long bytes = Math.max(chunk.bytes(), header.get().chunkBytes());
        return storage.longEnough(chunk.files(), bytes) && storage.verifiedBytes(chunk.files(), bytes) == bytes;
    }

    /** Stores the verdict on a chunk's bytes. A chunk that never had a readable header stays corrupt. */
    private void judge(StoredChunk chunk, boolean sound) throws EcfsException {
        boolean wasSound = chunk.state() != ChunkState.CORRUPT;
        if (sound == wasSound || chunk.header().isEmpty()) {
            return;
        }
        ChunkHeader header = chunk.validHeader();
        if (!sound) {
            LOG.error("event=chunk_corrupt volume={} chunk={} bytes={}", uuid, chunk.chunk(), chunk.bytes());
        } else {
            LOG.info("event=chunk_sound_again volume={} chunk={}", uuid, chunk.chunk());
        }
        if (header.chunkBytes() < 0) {
            chunks.keep(new StoredChunk(
                    chunk.files(),
                    sound ? ChunkState.BEING_WRITTEN : ChunkState.CORRUPT,
                    chunk.header(),
                    chunk.bytes()));
            return;
        }
        ChunkHeader judged = header.judged(sound ? ChunkState.FINALISED : ChunkState.CORRUPT);
        StoredChunk now = new StoredChunk(chunk.files(), judged.state(), Optional.of(judged), judged.chunkBytes());
        chunks.keep(now);
        mark(now, judged);
    }

    /** Writes the verdict into the header. On a read-only disk it exists only in memory, until a restart. */
    private void mark(StoredChunk chunk, ChunkHeader judged) throws EcfsException {
        try {
            health.onDisk("mark " + chunk.chunk(), () -> {
                // In place of another chunk's header, the mark would vouch for that chunk's bytes.
                if (hasOwnHeader(chunk)) {
                    storage.change(chunk, judged, false);
                }
            });
        } catch (EcfsException e) {
            if (e.code() != ErrorCode.VOLUME_FULL
                    && e.code() != ErrorCode.VOLUME_READ_ONLY
                    && e.code() != ErrorCode.VOLUME_FAILED) {
                throw e;
            }
            LOG.warn("event=chunk_not_marked volume={} chunk={} reason={}", uuid, chunk.chunk(), e.code());
        }
    }

    private boolean hasOwnHeader(StoredChunk chunk) throws IOException {
        try {
            return storage.readHeader(chunk.files()).isPresent();
        } catch (UnreadableFileException e) {
            LOG.warn("event=chunk_not_marked volume={} chunk={} reason=\"{}\"", uuid, chunk.chunk(), e.getMessage());
            return false;
        }
    }
}
