package io.ecfs.error;

/**
 * Checks that are always on. A broken invariant is a bug: the component that meets it stops rather than go on with
 * wrong data.
 */
public final class Invariant {
    private Invariant() {}

    /** Thrown when code contradicts itself; never caught to go on. */
    public static final class Broken extends AssertionError {
        private static final long serialVersionUID = 1L;

        Broken(String message) {
            super(message);
        }
    }

    public static void check(boolean holds, String message) {
        if (!holds) {
            throw new Broken(message);
        }
    }

    /** As {@link #check(boolean, String)}; the message is built only when the check fails. */
    public static void check(boolean holds, String format, Object... arguments) {
        if (!holds) {
            throw new Broken(String.format(format, arguments));
        }
    }
}
