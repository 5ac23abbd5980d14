package io.ecfs.layout;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.ecfs.code.CodeSpec;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How data is coded: code, cell size, and how large a chunk may grow. The name holds all of it that differs:
 * {@code rs-6-3-1024k}; {@code replication-3} uses the default cell, another is written {@code replication-3-256k}.
 * HDFS calls this an erasure coding policy.
 *
 * @param cellBytes bytes written to one chunk before the next chunk's turn; a multiple of {@value #CHECKSUM_WINDOW_BYTES}
 */
public record Policy(CodeSpec code, int cellBytes) {
    /** A chunk index fits a byte and a set of chunks fits four longs. */
    public static final int MAX_CHUNKS = 255;

    /** One CRC32C covers this many bytes of a chunk. */
    public static final int CHECKSUM_WINDOW_BYTES = 4096;

    public static final int DEFAULT_CELL_BYTES = 1024 * 1024;
    public static final int MAX_CELL_BYTES = 8 * 1024 * 1024;

    /** A group is closed when its chunks have reached this size (HDFS: block size). */
    public static final long MAX_CHUNK_BYTES = 128L * 1024 * 1024;

    private static final Pattern CELL_SUFFIX = Pattern.compile("(?<code>.+?)-(?<kib>\\d{1,7})k");

    public Policy {
        Objects.requireNonNull(code, "code");
        if (cellBytes < CHECKSUM_WINDOW_BYTES || cellBytes > MAX_CELL_BYTES || cellBytes % CHECKSUM_WINDOW_BYTES != 0) {
            throw new IllegalArgumentException("cell size must be a multiple of 4k from 4k to 8192k, got " + cellBytes
                    + " bytes; nearest is " + nearestCellKib(cellBytes) + "k");
        }
    }

    /** @throws IllegalArgumentException with the nearest valid form when the name is no policy */
    @JsonCreator
    public static Policy parse(String name) {
        Matcher suffix = CELL_SUFFIX.matcher(name);
        if (!suffix.matches()) {
            return new Policy(CodeSpec.parse(name), DEFAULT_CELL_BYTES);
        }
        long cellBytes = Math.multiplyExact(Long.parseLong(suffix.group("kib")), 1024L);
        return new Policy(CodeSpec.parse(suffix.group("code")), (int) Math.min(cellBytes, Integer.MAX_VALUE));
    }

    @JsonValue
    public String name() {
        boolean plainReplication = code.dataChunks() == 1 && cellBytes == DEFAULT_CELL_BYTES;
        return plainReplication ? code.toString() : code + "-" + cellBytes / 1024 + "k";
    }

    public int dataChunks() {
        return code.dataChunks();
    }

    public int parityChunks() {
        return code.parityChunks();
    }

    public int chunks() {
        return Math.addExact(dataChunks(), parityChunks());
    }

    /** Bytes of user data in one full stripe. */
    public long stripeBytes() {
        return Math.multiplyExact((long) dataChunks(), cellBytes);
    }

    /** Bytes of user data a group holds before the writer goes on in the next: whole stripes. */
    public long groupBytes() {
        return Math.multiplyExact(Math.max(1, MAX_CHUNK_BYTES / cellBytes), stripeBytes());
    }

    @Override
    public String toString() {
        return name();
    }

    private static long nearestCellKib(int cellBytes) {
        long rounded = Math.round(cellBytes / (double) CHECKSUM_WINDOW_BYTES) * CHECKSUM_WINDOW_BYTES;
        return Math.min(MAX_CELL_BYTES, Math.max(CHECKSUM_WINDOW_BYTES, rounded)) / 1024;
    }
}
