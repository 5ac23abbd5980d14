package io.ecfs.bench.meter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Files below {@code /proc}, which may be gone, or not ours to read. */
final class ProcFile {
    private static final Path PROC = Path.of("/proc");

    private ProcFile() {}

    static Path of(long pid, String name) {
        return PROC.resolve(Long.toString(pid)).resolve(name);
    }

    static Path of(String name) {
        return PROC.resolve(name);
    }

    /** Empty when it cannot be read: the process or thread ended, or belongs to another user. */
    static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** The number behind {@code key:} on a line of its own, such as {@code VmHWM:   1234 kB}; 0 when there is none. */
    static long number(String text, String key) {
        int at = text.startsWith(key + ":") ? 0 : text.indexOf("\n" + key + ":") + 1;
        if (at == 0 && !text.startsWith(key + ":")) {
            return 0;
        }
        int digit = at + key.length() + 1;
        while (digit < text.length() && Character.isWhitespace(text.charAt(digit))) {
            digit++;
        }
        long value = 0;
        for (; digit < text.length() && Character.isDigit(text.charAt(digit)); digit++) {
            value = value * 10 + text.charAt(digit) - '0';
        }
        return value;
    }
}
