package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.VolumeIo;
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

/** A small file of lines {@code key=value}, the last one a CRC32C of those before; replaced as a whole. */
final class TextFile {
    private static final int MAX_BYTES = 1 << 20;
    private static final String CRC_KEY = "crc32c=";

    private TextFile() {}

    /**
     * @return empty when there is none
     * @throws EcfsException {@code MALFORMED} for a damaged file
     */
    static Optional<Map<String, String>> read(VolumeIo io, String name) throws IOException {
        OptionalLong length = io.length(name);
        if (length.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(MAX_BYTES, length.getAsLong()));
        io.read(name, 0, bytes);
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        int crcAt = text.lastIndexOf(CRC_KEY);
        if (crcAt < 0 || !text.substring(crcAt).strip().equals(crcLine(text.substring(0, crcAt)))) {
            throw new EcfsException(ErrorCode.MALFORMED, io.describe() + "/" + name + " is damaged");
        }
        return Optional.of(text.substring(0, crcAt)
                .lines()
                .filter(line -> line.indexOf('=') > 0)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')), line -> line.substring(line.indexOf('=') + 1))));
    }

    /** Puts a new file in place of the old in one step, on disk when it returns. */
    static void write(VolumeIo io, String name, Map<String, String> values) throws IOException {
        String body = values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                .collect(Collectors.joining());
        byte[] bytes = (body + crcLine(body) + "\n").getBytes(StandardCharsets.UTF_8);
        String temporary = name + ".new";
        if (io.length(temporary).isPresent()) {
            io.delete(temporary);
        }
        io.create(temporary);
        io.write(temporary, 0, ByteBuffer.wrap(bytes));
        io.sync(temporary);
        io.rename(temporary, name);
        io.syncDirectory("");
    }

    private static String crcLine(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return CRC_KEY + Long.toHexString(crc.getValue());
    }
}
