package io.ecfs.bench.koh.run;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file of a run, and what it must hold. */
final class Image {
    private final FilePath path;
    private final ExpectedFile expected;
    private long written;

    Image(FilePath path, ExpectedFile expected) {
        this.path = path;
        this.expected = expected;
    }

    FilePath path() {
        return path;
    }

    ExpectedFile expected() {
        return expected;
    }

    /** Bytes that were requested to be written since it was made. */
    long written() {
        return written;
    }

    void wrote(long bytes) {
        written += bytes;
    }

    /** Compares what was read there. */
    void check(long position, byte[] bytes, int wanted, int read) throws EcfsException {
        if (read != wanted) {
            throw wrong(read + " of " + wanted + " bytes at " + position);
        }
        if (!expected.holds(position, bytes, read)) {
            throw wrong("other bytes than were written in [" + position + ", " + (position + read) + ")");
        }
    }

    /** Reads all of it, and compares each byte. */
    void verify(EcfsClient client) throws IOException {
        FileReader reader = Await.result(client.open(path));
        if (reader.length() != expected.length()) {
            throw wrong(reader.length() + " bytes where " + expected.length() + " were written");
        }
        byte[] bytes = new byte[Content.SLICE];
        for (long at = 0; at < expected.length(); at += Content.SLICE) {
            int part = (int) Math.min(Content.SLICE, expected.length() - at);
            BenchFiles.readFully(reader, at, ByteBuffer.wrap(bytes, 0, part));
            check(at, bytes, part, part);
        }
    }

    private EcfsException wrong(String what) {
        return new EcfsException(ErrorCode.CHUNK_CORRUPT, path + " has " + what);
    }
}
