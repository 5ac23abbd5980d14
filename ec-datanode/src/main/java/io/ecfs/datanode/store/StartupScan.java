package io.ecfs.datanode.store;

import io.ecfs.datanode.store.ChunkFiles.Place;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.transfer.ChunkPayload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans a volume when it is opened and brings every chunk that a crash left in between into one of its states:
 *
 * <pre>
 *   files              header           becomes
 *   both finalised/    FINALISED        FINALISED when long enough, otherwise CORRUPT
 *   both finalised/    BEING_WRITTEN    back to writing/, as below
 *   both writing/      BEING_WRITTEN    BEING_WRITTEN, up to its last verified byte
 *   both writing/      FINALISED        published when all bytes verify; otherwise BEING_WRITTEN, likewise
 *   one in each                         brought together in writing/, as above
 *   checksums alone    BEING_WRITTEN    BEING_WRITTEN, empty
 *   in writing/, unreadable header, not one byte of data, checksums or tail log    was never begun: removed
 *   anything else, or a header cannot be read    CORRUPT: reported and retained
 * </pre>
 *
 * An unreadable window does not verify.
 *
 * Only what is empty is ever removed (SeaweedFS #9930, #9874, #9941 deleted the only copy because of an empty stub).
 */
final class StartupScan {
    private static final Logger LOG = LoggerFactory.getLogger(StartupScan.class);

    private final VolumeIo io;
    private final ChunkStorage storage;
    private final VolumeHealth health;
    private final Set<ChunkId> tails = new TreeSet<>();

    /** @param health counts files that cannot be read */
    StartupScan(VolumeIo io, ChunkStorage storage, VolumeHealth health) {
        this.io = io;
        this.storage = storage;
        this.health = health;
    }

    /** Directories of a chunk's files. */
    private record Found(Set<Place> data, Set<Place> sums) {
        Found() {
            this(EnumSet.noneOf(Place.class), EnumSet.noneOf(Place.class));
        }

        boolean pairIn(Place place) {
            return data.contains(place) && sums.contains(place);
        }

        boolean anyIn(Place place) {
            return data.contains(place) || sums.contains(place);
        }
    }

    /** Chunks with a tail log, after {@link #run}. */
    Set<ChunkId> tails() {
        return tails;
    }

    List<StoredChunk> run() throws IOException {
        Map<ChunkId, Found> found = new TreeMap<>();
        for (Place place : Place.values()) {
            for (String fan : io.list(place.directory())) {
                for (String name : io.list(place.directory() + "/" + fan)) {
                    note(found, place, fan, name);
                }
            }
        }
        List<StoredChunk> chunks = new ArrayList<>();
        for (Map.Entry<ChunkId, Found> entry : found.entrySet()) {
            Optional<StoredChunk> chunk = readableOrCorrupt(entry.getKey(), entry.getValue());
            chunk.ifPresent(chunks::add);
        }
        return chunks;
    }

    private Optional<StoredChunk> readableOrCorrupt(ChunkId chunk, Found found) throws IOException {
        try {
            return resolve(chunk, found);
        } catch (UnreadableFileException e) {
            health.unreadable(e);
            // Their present directory: some are moved before they are read.
            Place place = anyIn(Place.FINALISED, chunk) ? Place.FINALISED : Place.WRITING;
            LOG.error("event=chunk_corrupt volume={} chunk={} reason=unreadable note=retained", io.describe(), chunk);
            return Optional.of(StoredChunk.corrupt(new ChunkFiles(place, chunk), Optional.empty(), 0));
        }
    }

    private boolean anyIn(Place place, ChunkId chunk) throws IOException {
        ChunkFiles files = new ChunkFiles(place, chunk);
        return io.length(files.data()).isPresent() || io.length(files.sum()).isPresent();
    }

    private void note(Map<ChunkId, Found> found, Place place, String fan, String fileName) {
        Optional<ChunkFiles.Name> name = ChunkFiles.parse(fileName);
        String directory = place.directory() + "/" + fan;
        if (name.isEmpty()
                || (name.get().kind() == ChunkFiles.Kind.TAIL && place != Place.WRITING)
                || !new ChunkFiles(place, name.get().chunk()).directory().equals(directory)) {
            LOG.warn("event=stray_file volume={} file={}/{} note=left_alone", io.describe(), directory, fileName);
            return;
        }
        ChunkId chunk = name.get().chunk();
        if (name.get().kind() == ChunkFiles.Kind.TAIL) {
            tails.add(chunk);
            return;
        }
        Found files = found.computeIfAbsent(chunk, id -> new Found());
        (name.get().kind() == ChunkFiles.Kind.DATA ? files.data : files.sums).add(place);
    }

    private Optional<StoredChunk> resolve(ChunkId chunk, Found found) throws IOException {
        ChunkFiles finalised = new ChunkFiles(Place.FINALISED, chunk);
        ChunkFiles writing = finalised.in(Place.WRITING);
        if (found.pairIn(Place.FINALISED)) {
            return Optional.of(finalisedPair(finalised, found.anyIn(Place.WRITING)));
        }
        if (found.pairIn(Place.WRITING)) {
            return found.anyIn(Place.FINALISED)
                    ? Optional.of(unexplained(writing, "files_in_both_places"))
                    : writingPair(writing);
        }
        if (!found.data.isEmpty() && !found.sums.isEmpty()) {
            storage.gather(chunk, Place.WRITING);
            return writingPair(writing);
        }
        if (found.anyIn(Place.FINALISED)) {
            return Optional.of(unexplained(finalised, "half_a_pair"));
        }
        return found.sums.isEmpty() ? unreadable(writing) : checksumsAlone(writing);
    }

    private StoredChunk finalisedPair(ChunkFiles files, boolean leftovers) throws IOException {
        Optional<ChunkHeader> header = storage.readHeader(files);
        if (leftovers) {
            LOG.warn("event=chunk_leftovers volume={} chunk={} note=left_alone", io.describe(), files.chunk());
        }
        if (header.isEmpty()) {
            return unexplained(files, "header_broken");
        }
        if (header.get().state() == ChunkState.BEING_WRITTEN) {
            if (leftovers) {
                return unexplained(files, "files_in_both_places");
            }
            storage.move(files, Place.WRITING);
            return upToDamage(files.in(Place.WRITING), header.get());
        }
        if (!storage.longEnough(files, header.get().chunkBytes())) {
            return unexplained(files, "shorter_than_its_header_says");
        }
        return StoredChunk.published(files, header.get());
    }

    private Optional<StoredChunk> writingPair(ChunkFiles files) throws IOException {
        Optional<ChunkHeader> header = storage.readHeader(files);
        if (header.isEmpty()) {
            return unreadable(files);
        }
        if (header.get().state() == ChunkState.BEING_WRITTEN) {
            return Optional.of(upToDamage(files, header.get()));
        }
        return Optional.of(completePublication(files, header.get()));
    }

    private StoredChunk completePublication(ChunkFiles files, ChunkHeader header) throws IOException {
        long bytes = header.chunkBytes();
        if (storage.longEnough(files, bytes) && verifiedEnd(files, 0, bytes) == bytes) {
            storage.cutTo(files, bytes);
            storage.move(files, Place.FINALISED);
            LOG.info("event=chunk_publication_completed volume={} chunk={}", io.describe(), files.chunk());
            return StoredChunk.sound(files.in(Place.FINALISED), header, bytes);
        }
        ChunkHeader reopened = header.reopened();
        storage.change(StoredChunk.sound(files, header, bytes), reopened, false);
        return upToDamage(files, reopened);
    }

    /**
     * The chunk up to its first window that does not match. The rest is not read any more, and stays: a torn end cannot
     * be distinguished from a rotten window, and only the state of the other chunks can show that nothing behind it was
     * acknowledged.
     */
    private StoredChunk upToDamage(ChunkFiles files, ChunkHeader header) throws IOException {
        long length = io.length(files.data()).orElse(0);
        long verified = verifiedEnd(files, 0, length);
        if (verified < length) {
            long next = verified + ChunkPayload.WINDOW_BYTES;
            LOG.warn(
                    "event=chunk_damaged volume={} chunk={} bytes={} verified={} inTheMiddle={} note=left_alone",
                    io.describe(),
                    files.chunk(),
                    length,
                    verified,
                    next < length
                            && verifiedEnd(files, next, Math.min(next + ChunkPayload.WINDOW_BYTES, length)) > next);
        }
        return StoredChunk.sound(files, header, verified);
    }

    /** As {@link ChunkStorage#verifiedEnd}, but a window that cannot be read ends it, as one that differs does. */
    private long verifiedEnd(ChunkFiles files, long from, long limit) throws IOException {
        try {
            return storage.verifiedEnd(files, from, limit);
        } catch (UnreadableFileException e) {
            health.unreadable(e);
            return verifiedWindows(files, from, limit);
        }
    }

    /** Verifies window by window. */
    private long verifiedWindows(ChunkFiles files, long from, long limit) throws IOException {
        long verified = from;
        try {
            while (verified < limit) {
                long next = Math.min(verified + ChunkPayload.WINDOW_BYTES, limit);
                if (storage.verifiedEnd(files, verified, next) < next) {
                    return verified;
                }
                verified = next;
            }
            return verified;
        } catch (UnreadableFileException e) {
            return verified; // the file was reported before
        }
    }

    private Optional<StoredChunk> checksumsAlone(ChunkFiles files) throws IOException {
        Optional<ChunkHeader> header = storage.readHeader(files);
        if (header.isEmpty()) {
            return unreadable(files);
        }
        if (header.get().state() != ChunkState.BEING_WRITTEN) {
            return Optional.of(unexplained(files, "half_a_pair"));
        }
        io.create(files.data());
        return Optional.of(upToDamage(files, header.get()));
    }

    private Optional<StoredChunk> unreadable(ChunkFiles files) throws IOException {
        OptionalLong data = io.length(files.data());
        OptionalLong sums = io.length(files.sum());
        OptionalLong tail = io.length(files.tail());
        if (data.orElse(0) == 0 && sums.orElse(0) <= ChunkHeader.BYTES && tail.orElse(0) == 0) {
            LOG.info("event=empty_stub_removed volume={} chunk={}", io.describe(), files.chunk());
            storage.delete(files);
            return Optional.empty();
        }
        return Optional.of(unexplained(files, "header_broken"));
    }

    private StoredChunk unexplained(ChunkFiles files, String reason) throws IOException {
        LOG.error(
                "event=chunk_corrupt volume={} chunk={} reason={} note=retained", io.describe(), files.chunk(), reason);
        return StoredChunk.corrupt(files, storage.readHeader(files), 0);
    }
}
