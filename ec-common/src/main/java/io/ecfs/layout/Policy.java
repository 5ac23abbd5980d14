package io.ecfs.layout;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.ecfs.code.CodeSpec;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Coding of data: code, cell size, and largest chunk. The name has all that differs: {@code rs-6-3-1024k};
 * {@code replication-3} uses the default cell, another is written {@code replication-3-256k}. HDFS calls this an
 * erasure coding policy. A value: equal when the names are. No record, so that the name is made once: nearly every row
 * and message has it.
 */
public final class Policy {
    /** A chunk index fits a byte and a set of chunks fits four longs. */
    public static final int MAX_CHUNKS = CodeSpec.MAX_CHUNKS;

    /** One CRC32C covers this many bytes of a chunk. */
    public static final int CHECKSUM_WINDOW_BYTES = 4096;

    public static final int DEFAULT_CELL_BYTES = 1024 * 1024;
    public static final int MAX_CELL_BYTES = 8 * 1024 * 1024;

    /** A group is closed when its chunks have reached this size (HDFS: block size). */
    public static final long MAX_CHUNK_BYTES = 128L * 1024 * 1024;

    private static final int MAX_CELL_DIGITS = 7;

    private final CodeSpec code;
    private final int nominalCellBytes;
    private final String name;

    /**
     * A policy of any code.
     *
     * @param nominalCellBytes the cell size in the name; cells are as long or, where the code cannot divide that, a
     *     little shorter: see {@link #cellBytes()}
     * @throws IllegalArgumentException with the nearest valid cell size when the code does not admit this one
     */
    public Policy(CodeSpec code, int nominalCellBytes) {
        Objects.requireNonNull(code, "code");
        boolean whole = nominalCellBytes % CHECKSUM_WINDOW_BYTES == 0;
        if (nominalCellBytes < cellUnitBytes(code) || nominalCellBytes > MAX_CELL_BYTES || !whole) {
            throw new IllegalArgumentException("cell size of " + code + " must be a multiple of 4k from "
                    + cellUnitBytes(code) / 1024 + "k to 8192k, got " + nominalCellBytes + " bytes; nearest is "
                    + code + "-" + nearestCellKib(code, nominalCellBytes) + "k");
        }
        boolean plainReplication = code.dataChunks() == 1 && nominalCellBytes == DEFAULT_CELL_BYTES;
        this.code = code;
        this.nominalCellBytes = nominalCellBytes;
        this.name = plainReplication ? code.toString() : code + "-" + nominalCellBytes / 1024 + "k";
    }

    /**
     * Reads {@link #name()}. Without a cell size it is the default one, or the smallest one that the code admits if
     * that is more.
     *
     * @throws IllegalArgumentException with the nearest valid form when the name is no policy
     */
    @JsonCreator
    public static Policy parse(String name) {
        Policy usual = Usual.BY_NAME.get(name);
        return usual == null ? read(name) : usual;
    }

    /** Those that nearly every row and message names: reading one takes longer than all the rest of such a row. */
    private static final class Usual {
        static final Map<String, Policy> BY_NAME = Stream.of(
                        "rs-3-2-1024k", "rs-6-3-1024k", "rs-6-3-64k", "rs-10-4-1024k", "replication-3")
                .collect(Collectors.toUnmodifiableMap(name -> name, Policy::read));
    }

    private static Policy read(String name) {
        int dash = name.lastIndexOf('-');
        if (dash <= 0 || !isCellSize(name, dash + 1)) {
            CodeSpec code = CodeSpec.parse(name);
            return new Policy(code, Math.max(DEFAULT_CELL_BYTES, cellUnitBytes(code)));
        }
        long cellBytes = Math.multiplyExact(Long.parseLong(name, dash + 1, name.length() - 1, 10), 1024L);
        return new Policy(CodeSpec.parse(name.substring(0, dash)), (int) Math.min(cellBytes, Integer.MAX_VALUE));
    }

    /**
     * Returns whether the name continues with 1 to 7 digits and a k. Parsed by hand: names are read with every row and
     * message of a group.
     */
    private static boolean isCellSize(String name, int from) {
        int digits = name.length() - 1 - from;
        if (digits < 1 || digits > MAX_CELL_DIGITS || name.charAt(name.length() - 1) != 'k') {
            return false;
        }
        for (int i = from; i < from + digits; i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    @JsonValue
    public String name() {
        return name;
    }

    public CodeSpec code() {
        return code;
    }

    /** The cell size in the name; see {@link #cellBytes()}. */
    public int nominalCellBytes() {
        return nominalCellBytes;
    }

    /**
     * Bytes written to one chunk before the next chunk's turn: the largest size up to the nominal one that divides both
     * into the code's sub-chunks of a multiple of 16 bytes each and into checksum windows.
     */
    public int cellBytes() {
        return nominalCellBytes - nominalCellBytes % cellUnitBytes(code);
    }

    private static int cellUnitBytes(CodeSpec code) {
        int alignment = code.cellAlignmentBytes();
        int common = Math.min(Integer.lowestOneBit(alignment), CHECKSUM_WINDOW_BYTES);
        return Math.multiplyExact(alignment / common, CHECKSUM_WINDOW_BYTES);
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
        return Math.multiplyExact((long) dataChunks(), cellBytes());
    }

    /** Bytes of user data a group holds before the writer goes on in the next: whole stripes. */
    public long groupBytes() {
        return Math.multiplyExact(Math.max(1, MAX_CHUNK_BYTES / cellBytes()), stripeBytes());
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Policy policy && policy.name.equals(name));
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }

    private static long nearestCellKib(CodeSpec code, int cellBytes) {
        long rounded = Math.round(cellBytes / (double) CHECKSUM_WINDOW_BYTES) * CHECKSUM_WINDOW_BYTES;
        return Math.min(MAX_CELL_BYTES, Math.max(cellUnitBytes(code), rounded)) / 1024;
    }
}
