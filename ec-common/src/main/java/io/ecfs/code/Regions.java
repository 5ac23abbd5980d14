package io.ecfs.code;

import java.nio.ByteBuffer;

/** The checks that every code and kernel makes of its buffers before it touches a byte. */
public final class Regions {
    private Regions() {}

    /**
     * Checks that there are {@code count} direct buffers of {@code bytes} bytes remaining each.
     *
     * @param role what the buffers are, for the message
     * @throws IllegalArgumentException that names the first buffer that is not so
     */
    public static void checkInputs(String role, ByteBuffer[] buffers, int count, int bytes) {
        if (buffers.length != count) {
            throw new IllegalArgumentException(role + ": " + buffers.length + " buffers given, " + count + " needed");
        }
        for (int i = 0; i < count; i++) {
            checkInput(role, i, buffers[i], bytes);
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
    public static void checkInput(String role, int index, ByteBuffer buffer, int bytes) {
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
    public static void checkOutput(String role, int index, ByteBuffer buffer, int bytes) {
        checkInput(role, index, buffer, bytes);
        checkWritable(role, index, buffer);
    }

    private static void checkWritable(String role, int index, ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException(role + " " + index + " is read-only but would be written");
        }
    }

    /** The bytes remaining in the first of the buffers, 0 if there is none: what the others are held to. */
    public static int length(ByteBuffer[] buffers) {
        return buffers.length == 0 || buffers[0] == null ? 0 : buffers[0].remaining();
    }
}
