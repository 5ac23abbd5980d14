package io.ecfs.datanode.store.disk;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The texts of the operating system's errors, by which failures of a disk are distinguished. The JDK gives the number
 * of an error (errno) as its text alone, in the words of the C library for the locale of the process (LC_MESSAGES). A
 * process whose locale or C library has other words would take a bad sector for a broken drive; it is refused at its
 * start ({@link #requireKnown}). The command {@code ecfs} keeps the words English.
 */
public final class ErrorTexts {
    /**
     * EIO, ENODATA (what a medium error becomes on its way up), EBADMSG and EUCLEAN (a file system's own checksums).
     */
    private static final List<String> BAD_MEDIUM =
            List.of("Input/output error", "No data available", "Bad message", "Structure needs cleaning");
    /** ENOSPC, EDQUOT. */
    private static final List<String> NO_SPACE = List.of("No space left on device", "Disk quota exceeded");
    /** EROFS, EPERM. */
    private static final List<String> NO_CHANGE = List.of("Read-only file system", "Operation not permitted");

    private static final int LONGEST_NAME = 255;

    /** A call that the operating system refuses. */
    interface Refused {
        void run() throws IOException;
    }

    private ErrorTexts() {}

    static boolean badMedium(IOException e) {
        return contains(e, BAD_MEDIUM);
    }

    static boolean noSpace(IOException e) {
        return contains(e, NO_SPACE);
    }

    static boolean noChange(IOException e) {
        return contains(e, NO_CHANGE);
    }

    private static boolean contains(IOException e, List<String> texts) {
        String text = String.valueOf(e.getMessage());
        return texts.stream().anyMatch(text::contains);
    }

    /**
     * Provokes two errors that change nothing: reading a directory (EISDIR), by the way that EIO takes through the JDK,
     * and a name that is too long (ENAMETOOLONG), for which C libraries have different words.
     *
     * @param directory any that can be read
     * @throws EcfsException {@code UNSUPPORTED} in one line when a text is another than expected
     */
    public static void requireKnown(Path directory) throws EcfsException {
        require("Is a directory", () -> {
            try (FileChannel channel = FileChannel.open(directory)) {
                channel.read(ByteBuffer.allocate(1));
            }
        });
        char[] name = new char[LONGEST_NAME + 1];
        Arrays.fill(name, 'n');
        require(
                "File name too long",
                () -> FileChannel.open(directory.resolve(new String(name))).close());
    }

    static void require(String expected, Refused call) throws EcfsException {
        String found = text(call);
        if (!found.equals(expected)) {
            throw new EcfsException(
                    ErrorCode.UNSUPPORTED,
                    "the operating system says '" + found + "' for '" + expected + "', so the text of a bad sector is"
                            + " unknown too: start with the command ecfs, or with LC_MESSAGES=C and without LC_ALL,"
                            + " on a machine with glibc");
        }
    }

    private static String text(Refused call) {
        try {
            call.run();
            return "no error";
        } catch (FileSystemException e) {
            return String.valueOf(e.getReason());
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
