package io.ecfs.bench.load;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes and reads the files of a run, slice by slice, as a job would: from and into byte arrays. */
public final class BenchFiles {
    private final EcfsClient client;
    private final Content content;
    private final CreateOptions options;

    /** Notified of the duration of each slice. */
    public interface Timing {
        Timing NONE = nanos -> {};

        void slice(long nanos);
    }

    public BenchFiles(EcfsClient client, Content content, boolean sync) {
        this.client = client;
        this.content = content;
        this.options = CreateOptions.defaults().withOverwrite(true).withSync(sync);
    }

    /** @param id of the content; readers name the same */
    public void write(FilePath path, long id, long bytes, Timing timing) throws IOException {
        try (EcfsOutputStream out = Await.result(client.create(path, options))) {
            long slice = 0;
            for (long at = 0; at < bytes; at += Content.SLICE, slice++) {
                long begin = System.nanoTime();
                out.write(content.pool(), content.offset(id, slice), (int) Math.min(Content.SLICE, bytes - at));
                timing.slice(System.nanoTime() - begin);
            }
        }
    }

    /** Opens a file of {@code length} bytes, appends so many more of its content, and closes it. */
    public void append(FilePath path, long id, long length, int bytes) throws IOException {
        try (EcfsOutputStream out = Await.result(client.append(path, options.sync()))) {
            for (long at = length; at < length + bytes; ) {
                int within = (int) (at % Content.SLICE);
                int part = (int) Math.min(length + bytes - at, Content.SLICE - within);
                out.write(content.pool(), content.offset(id, at / Content.SLICE) + within, part);
                at += part;
            }
        }
    }

    /**
     * Reads a file to its end.
     *
     * @throws EcfsException {@code CHUNK_CORRUPT} when it has another length than was written, or, with {@code verify},
     *     other bytes
     */
    public void read(FilePath path, long id, long bytes, boolean verify, Timing timing) throws IOException {
        byte[] buffer = new byte[(int) Math.min(Content.SLICE, bytes + 1)]; // one more than there is tells the end
        long at = 0;
        try (EcfsInputStream in = Await.result(client.open(path)).stream()) {
            for (long slice = 0; ; slice++) {
                long begin = System.nanoTime();
                int length = in.readNBytes(buffer, 0, buffer.length);
                timing.slice(System.nanoTime() - begin);
                if (verify && length > 0 && !content.holds(buffer, length, id, slice)) {
                    throw wrong(path, "other bytes than were written in [" + at + ", " + (at + length) + ")");
                }
                at += length;
                if (length < buffer.length) {
                    break;
                }
            }
        }
        if (at != bytes) {
            throw wrong(path, at + " bytes where " + bytes + " were written");
        }
    }

    /**
     * Reads one slice of a file at its place and compares it.
     *
     * @throws EcfsException {@code CHUNK_CORRUPT} when it has other bytes than were written
     */
    public void check(FilePath path, long id, long bytes, long slice) throws IOException {
        long at = slice * Content.SLICE;
        ByteBuffer buffer = ByteBuffer.wrap(new byte[(int) Math.min(Content.SLICE, bytes - at)]);
        readFully(Await.result(client.open(path)), at, buffer);
        if (!content.holds(buffer.array(), buffer.capacity(), id, slice)) {
            throw wrong(path, "other bytes than were written in [" + at + ", " + (at + buffer.capacity()) + ")");
        }
    }

    /** @throws EcfsException {@code CHUNK_CORRUPT} when the file is shorter than it was written */
    public static void readFully(FileReader reader, long at, ByteBuffer buffer) throws IOException {
        int read = reader.read(at, buffer);
        if (buffer.hasRemaining()) {
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    reader.status().path() + " gave " + read + " of " + buffer.capacity() + " bytes at " + at);
        }
    }

    private static EcfsException wrong(FilePath path, String what) {
        return new EcfsException(ErrorCode.CHUNK_CORRUPT, path + " has " + what);
    }
}
