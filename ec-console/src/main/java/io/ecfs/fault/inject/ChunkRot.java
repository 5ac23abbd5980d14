package io.ecfs.fault.inject;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Damage to the files of a chunk, behind its datanode's back; docs/formats.md has their form. */
final class ChunkRot {
    private static final String DATA = ".data";
    private static final String CHECKSUMS = ".sum";
    private static final int HEADER_BYTES = 512;
    private static final int WINDOW_BYTES = 4096;

    private ChunkRot() {}

    /** The file with the header and the checksums, beside that with the bytes. */
    static Path checksums(Path data) {
        String name = data.getFileName().toString();
        return data.resolveSibling(name.substring(0, name.length() - DATA.length()) + CHECKSUMS);
    }

    static void flipData(Path data, SplittableRandom random) throws IOException {
        flip(data, random.nextLong(Files.size(data)), random);
    }

    /** A bit behind the header, which has a copy. */
    static void flipChecksum(Path data, SplittableRandom random) throws IOException {
        Path file = checksums(data);
        flip(file, random.nextLong(HEADER_BYTES, Files.size(file)), random);
    }

    private static void flip(Path file, long at, SplittableRandom random) throws IOException {
        try (FileChannel channel = open(file)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(Byte.SIZE)));
            channel.write(one.flip(), at);
        }
    }

    /** Takes half of the bytes away. */
    static void cut(Path data) throws IOException {
        try (FileChannel channel = open(data)) {
            channel.truncate(channel.size() / 2);
        }
    }

    static void delete(Path data) throws IOException {
        Files.delete(data);
    }

    /** Exchanges what the files of two chunks hold, as misdirected writes would; the files stay open. */
    static void swap(Path one, Path other) throws IOException {
        exchange(one, other);
        exchange(checksums(one), checksums(other));
    }

    private static void exchange(Path one, Path other) throws IOException {
        byte[] bytes = Files.readAllBytes(one);
        Files.write(one, Files.readAllBytes(other));
        Files.write(other, bytes);
    }

    /** Other bytes in one checksum window, and their checksum: only the parity of the group contradicts. */
    static void forge(Path data, SplittableRandom random) throws IOException {
        long window = random.nextLong((Files.size(data) + WINDOW_BYTES - 1) / WINDOW_BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(WINDOW_BYTES);
        try (FileChannel channel = open(data);
                FileChannel sums = open(checksums(data))) {
            channel.read(bytes, window * WINDOW_BYTES);
            bytes.flip();
            bytes.put(0, (byte) ~bytes.get(0));
            CRC32C crc = new CRC32C();
            crc.update(bytes.duplicate());
            ByteBuffer sum = ByteBuffer.allocate(Integer.BYTES).putInt(0, (int) crc.getValue());
            channel.write(bytes, window * WINDOW_BYTES);
            sums.write(sum, HEADER_BYTES + window * Integer.BYTES);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
}
