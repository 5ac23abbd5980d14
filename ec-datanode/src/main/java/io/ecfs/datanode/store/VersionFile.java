package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code VERSION} file of a volume or home directory: its owner and its layout version. That of an older layout is
 * read, and replaced.
 */
final class VersionFile {
    static final String NAME = "VERSION";

    private static final Logger LOG = LoggerFactory.getLogger(VersionFile.class);
    /** The older layout, in which headers of chunks have no stamps. */
    private static final String OLDER = "1";

    private static final String PRESENT = Integer.toString(ChunkHeader.LAYOUT_VERSION);

    private VersionFile() {}

    /**
     * @return empty when there is none
     * @throws EcfsException {@code INCOMPATIBLE_VERSION} for another layout version, {@code MALFORMED} for a damaged
     *     file
     */
    static Optional<VolumeIdentity> read(VolumeIo io) throws IOException {
        Optional<Map<String, String>> found;
        try {
            found = TextFile.read(io, NAME);
        } catch (EcfsException e) {
            throw new EcfsException(
                    e.code(),
                    e.getMessage() + ": nothing was changed; restore it from a copy, chunks are not touched",
                    e);
        }
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> values = found.get();
        String layoutVersion = values.getOrDefault("layoutVersion", "none");
        if (!layoutVersion.equals(PRESENT) && !layoutVersion.equals(OLDER)) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    io.describe() + " has disk layout version " + layoutVersion + ", this program knows " + OLDER
                            + " to " + PRESENT + ": nothing was changed; start the release that wrote it");
        }
        return Optional.of(new VolumeIdentity(
                values.getOrDefault("clusterId", ""),
                values.getOrDefault("datanode", ""),
                values.getOrDefault("datanodeUuid", ""),
                values.getOrDefault("volumeUuid", "")));
    }

    /**
     * Upgrades a directory of an older layout to the present one, once its owner is verified: the release before does
     * not read the headers that this one writes, and must refuse to start. Not done on a read-only disk, which gets no
     * such header either.
     */
    static void raise(VolumeIo io, VolumeIdentity identity) {
        try {
            if (TextFile.read(io, NAME)
                    .filter(values -> OLDER.equals(values.get("layoutVersion")))
                    .isPresent()) {
                write(io, identity);
                LOG.info("event=layout_raised path={} from={} to={}", io.describe(), OLDER, PRESENT);
            }
        } catch (IOException e) {
            LOG.warn("event=layout_not_raised path={} error=\"{}\"", io.describe(), e.toString());
        }
    }

    /** Writes the file and syncs it. */
    static void write(VolumeIo io, VolumeIdentity identity) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("layoutVersion", PRESENT);
        values.put("clusterId", identity.clusterId());
        values.put("datanode", identity.datanode());
        values.put("datanodeUuid", identity.datanodeUuid());
        values.put("volumeUuid", identity.volumeUuid());
        TextFile.write(io, NAME, values);
    }
}
