package io.ecfs.fault.inject;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that uses up what is free of a file system. */
final class Ballast {
    private static final String NAME = "ballast";
    private static final int PIECE_BYTES = 1 << 20;

    private Ballast() {}

    /** @param directory of a file system that nobody else uses */
    static Undo in(Path directory) throws IOException {
        Path ballast = directory.resolve(NAME);
        FileStore store = Files.getFileStore(directory);
        try (FileChannel channel = FileChannel.open(ballast, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
            for (long free = store.getUsableSpace(); free > 0; free = store.getUsableSpace()) {
                piece.clear().limit((int) Math.min(PIECE_BYTES, free));
                channel.write(piece);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) { // somebody else took the last bytes
                Files.deleteIfExists(ballast);
                throw e;
            }
        }
        return () -> Files.deleteIfExists(ballast);
    }
}
