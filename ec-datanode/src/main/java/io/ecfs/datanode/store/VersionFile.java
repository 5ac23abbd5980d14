package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The {@code VERSION} file of a volume or home directory: whose it is, in which layout. */
final class VersionFile {
    static final String NAME = "VERSION";

    private VersionFile() {}

    /**
     * @return empty when there is none
     * @throws EcfsException {@code INCOMPATIBLE_VERSION} for another layout version, {@code MALFORMED} for a damaged file
     */
    static Optional<VolumeIdentity> read(VolumeIo io) throws IOException {
        Optional<Map<String, String>> found;
        try {
            found = TextFile.read(io, NAME);
        } catch (EcfsException e) {
            throw new EcfsException(
                    e.code(),
                    e.getMessage() + ": nothing was changed; restore it from a copy, chunks are kept as they are",
                    e);
        }
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> values = found.get();
        String layoutVersion = values.getOrDefault("layoutVersion", "none");
        if (!layoutVersion.equals(Integer.toString(ChunkHeader.LAYOUT_VERSION))) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    io.describe() + " has disk layout version " + layoutVersion + ", this program knows "
                            + ChunkHeader.LAYOUT_VERSION + ": nothing was changed; start the release that wrote it");
        }
        return Optional.of(new VolumeIdentity(
                values.getOrDefault("clusterId", ""),
                values.getOrDefault("datanode", ""),
                values.getOrDefault("datanodeUuid", ""),
                values.getOrDefault("volumeUuid", "")));
    }

    /** On disk when it returns. */
    static void write(VolumeIo io, VolumeIdentity identity) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("layoutVersion", Integer.toString(ChunkHeader.LAYOUT_VERSION));
        values.put("clusterId", identity.clusterId());
        values.put("datanode", identity.datanode());
        values.put("datanodeUuid", identity.datanodeUuid());
        values.put("volumeUuid", identity.volumeUuid());
        TextFile.write(io, NAME, values);
    }
}
