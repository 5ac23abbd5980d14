package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/** The {@code VERSION} file of a volume or home directory: lines {@code key=value}, the last one a CRC32C of those before. */
final class VersionFile {
    static final String NAME = "VERSION";

    private static final String TEMPORARY = "VERSION.new";
    private static final int MAX_BYTES = 4096;
    private static final String CRC_KEY = "crc32c=";

    private VersionFile() {}

    /**
     * @return empty when there is none
     * @throws EcfsException {@code INCOMPATIBLE_VERSION} for another layout version, {@code MALFORMED} for a damaged file
     */
    static Optional<VolumeIdentity> read(VolumeIo io) throws IOException {
        OptionalLong length = io.length(NAME);
        if (length.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(MAX_BYTES, length.getAsLong()));
        io.read(NAME, 0, bytes);
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        int crcAt = text.lastIndexOf(CRC_KEY);
        if (crcAt < 0 || !text.substring(crcAt).strip().equals(crcLine(text.substring(0, crcAt)))) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    io.describe() + "/" + NAME
                            + " is damaged: nothing was changed; restore it from a copy, chunks are kept as they are");
        }
        Map<String, String> values = text.lines()
                .filter(line -> line.indexOf('=') > 0)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')), line -> line.substring(line.indexOf('=') + 1)));
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

    /** Puts a new file in place of the old in one step, on disk when it returns. */
    static void write(VolumeIo io, VolumeIdentity identity) throws IOException {
        String body = "layoutVersion=" + ChunkHeader.LAYOUT_VERSION + "\nclusterId=" + identity.clusterId()
                + "\ndatanode=" + identity.datanode() + "\ndatanodeUuid=" + identity.datanodeUuid() + "\nvolumeUuid="
                + identity.volumeUuid() + "\n";
        byte[] bytes = (body + crcLine(body) + "\n").getBytes(StandardCharsets.UTF_8);
        if (io.length(TEMPORARY).isPresent()) {
            io.delete(TEMPORARY);
        }
        io.create(TEMPORARY);
        io.write(TEMPORARY, 0, ByteBuffer.wrap(bytes));
        io.sync(TEMPORARY);
        io.rename(TEMPORARY, NAME);
        io.syncDirectory("");
    }

    private static String crcLine(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return CRC_KEY + Long.toHexString(crc.getValue());
    }
}
