package io.ecfs.code.kernel;

import java.nio.ByteBuffer;

/**
 * The checks that every code and kernel makes of its buffers before it touches a byte. Each error names the first
 * buffer at fault.
 */
public final class Regions {
    /** {@link ByteBuffer#alignmentOffset} gives an address modulo this. */
    private static final int ADDRESS_UNIT = 1 << 30;

    private final int[] inputs;
    private final int[] outputs;

    private Regions(int[] inputs, int[] outputs) {
        this.inputs = inputs;
        this.outputs = outputs;
    }

    /** The checks of a run of that schedule. */
    public static Regions of(Schedule schedule) {
        return new Regions(schedule.inputs(), schedule.outputs());
    }

    /**
     * Checks everything that {@link Program#run} requires of its buffers except that they lie apart.
     *
     * @return how many bytes a region has
     */
    public int check(ByteBuffer[] in, ByteBuffer[] out) {
        checkCount("input", in, inputs.length);
        checkCount("output", out, outputs.length);
        int bytes = in.length > 0 ? first("input", in[0], inputs[0]) : first("output", out[0], outputs[0]);
        for (int i = 0; i < in.length; i++) {
            checkInput("input", i, in[i], (long) bytes * inputs[i]);
        }
        for (int i = 0; i < out.length; i++) {
            checkOutput("output", i, out[i], (long) bytes * outputs[i]);
        }
        return bytes;
    }

    private static int first(String role, ByteBuffer buffer, int regions) {
        if (buffer == null) {
            throw new IllegalArgumentException(role + " 0 is missing");
        }
        if (buffer.remaining() % regions != 0) {
            throw new IllegalArgumentException(role + " 0 has " + buffer.remaining()
                    + " bytes remaining, which do not divide into " + regions + " regions");
        }
        return buffer.remaining() / regions;
    }

    /**
     * Checks that no output overlaps an input or another output. For kernels without addresses; the others compare
     * those.
     */
    static void checkApart(ByteBuffer[] in, ByteBuffer[] out) {
        for (int o = 0; o < out.length; o++) {
            for (int i = 0; i < in.length; i++) {
                if (overlap(out[o], in[i])) {
                    throw overlapping("output", o, "input", i);
                }
            }
            for (int i = 0; i < o; i++) {
                if (overlap(out[o], out[i])) {
                    throw overlapping("output", o, "output", i);
                }
            }
        }
    }

    /** The error for buffers that overlap and must not. */
    public static IllegalArgumentException overlapping(String role, int index, String otherRole, int other) {
        return new IllegalArgumentException(
                role + " " + index + " overlaps " + otherRole + " " + other + "; every output needs memory of its own");
    }

    /**
     * Tests for overlap. Java gives an address only modulo {@link #ADDRESS_UNIT}. Buffers that are apart by that are
     * apart; for the few others a byte is changed in the one and searched for in the other.
     */
    private static boolean overlap(ByteBuffer written, ByteBuffer other) {
        int from = written.alignmentOffset(written.position(), ADDRESS_UNIT);
        int otherFrom = other.alignmentOffset(other.position(), ADDRESS_UNIT);
        return meets(written, other, (otherFrom - from) & ADDRESS_UNIT - 1)
                || meetsFromBehind(written, other, (from - otherFrom) & ADDRESS_UNIT - 1);
    }

    /** Returns whether the first byte of {@code other} is one of {@code written}, at the distance modulo the unit. */
    private static boolean meets(ByteBuffer written, ByteBuffer other, int distance) {
        boolean same = false;
        for (long at = distance; at < written.remaining() && other.hasRemaining(); at += ADDRESS_UNIT) {
            same |= same(written, written.position() + (int) at, other, other.position());
        }
        return same;
    }

    private static boolean meetsFromBehind(ByteBuffer written, ByteBuffer other, int distance) {
        boolean same = false;
        for (long at = distance; at < other.remaining() && written.hasRemaining(); at += ADDRESS_UNIT) {
            same |= same(written, written.position(), other, other.position() + (int) at);
        }
        return same;
    }

    private static boolean same(ByteBuffer written, int at, ByteBuffer other, int otherAt) {
        byte original = written.get(at);
        byte before = other.get(otherAt);
        written.put(at, (byte) ~original);
        boolean same = other.get(otherAt) != before;
        written.put(at, original);
        return same;
    }

    /**
     * Checks that there are {@code count} direct buffers of {@code bytes} bytes remaining each.
     *
     * @param role what the buffers are, for the message
     * @throws IllegalArgumentException that names the first buffer at fault
     */
    public static void checkInputs(String role, ByteBuffer[] buffers, int count, int bytes) {
        checkCount(role, buffers, count);
        for (int i = 0; i < count; i++) {
            checkInput(role, i, buffers[i], bytes);
        }
    }

    private static void checkCount(String role, ByteBuffer[] buffers, int count) {
        if (buffers.length != count) {
            throw new IllegalArgumentException(role + ": " + buffers.length + " buffers given, " + count + " needed");
        }
    }

    /** As {@link #checkInputs}, and none may be read-only. */
    public static void checkOutputs(String role, ByteBuffer[] buffers, int count, int bytes) {
        checkInputs(role, buffers, count, bytes);
        for (int i = 0; i < count; i++) {
            checkWritable(role, i, buffers[i]);
        }
    }

    /** Checks one direct buffer of {@code bytes} bytes remaining. */
    public static void checkInput(String role, int index, ByteBuffer buffer, long bytes) {
        if (buffer == null) {
            throw new IllegalArgumentException(role + " " + index + " is missing");
        }
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException(role + " " + index + " is a heap buffer; give a direct one");
        }
        if (buffer.remaining() != bytes) {
            throw new IllegalArgumentException(
                    role + " " + index + " has " + buffer.remaining() + " bytes remaining where " + bytes + " are due");
        }
    }

    /** Checks one direct, writable buffer of {@code bytes} bytes remaining. */
    public static void checkOutput(String role, int index, ByteBuffer buffer, long bytes) {
        checkInput(role, index, buffer, bytes);
        checkWritable(role, index, buffer);
    }

    private static void checkWritable(String role, int index, ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException(role + " " + index + " is read-only but would be written");
        }
    }

    /** The bytes remaining in the first of the buffers, 0 if there is none: the length that all must have. */
    public static int length(ByteBuffer[] buffers) {
        return buffers.length == 0 || buffers[0] == null ? 0 : buffers[0].remaining();
    }
}
