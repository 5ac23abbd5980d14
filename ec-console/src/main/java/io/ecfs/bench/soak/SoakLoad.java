package io.ecfs.bench.soak;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * One thread of a soak: writes files of all sizes, reads them whole and in part, renames and deletes them, and compares
 * every byte that it reads. A failed call is counted and its file forgotten, as the outcome is unknown. For one thread.
 */
final class SoakLoad {
    /** Limit of the bytes of one thread's files; beyond it the oldest are deleted. */
    static final long MAX_FILE_BYTES = 96L << 20;

    private static final int SMALL_BYTES = 256 << 10;
    private static final int LARGE_BYTES = 12 << 20;
    private static final int MAX_FILES = 300;
    private static final long IDS_OF_THREAD = 10_000_000;
    private static final int MAX_MESSAGES = 3;

    private record StoredFile(FilePath path, long id, long bytes) {}

    private final EcfsClient client;
    private final BenchFiles files;
    private final FilePath directory;
    private final SplittableRandom random;
    private final List<StoredFile> stored = new ArrayList<>();
    private final Counts counts = new Counts();
    private long nextId;
    private long storedBytes;

    /** Counts of operations, with the messages of the first failures. */
    static final class Counts {
        long operations;
        long writtenBytes;
        long comparedBytes;
        long failed;
        final List<String> wrong = new ArrayList<>();
        final List<String> failures = new ArrayList<>();
    }

    SoakLoad(EcfsClient client, BenchFiles files, FilePath base, int thread, long seed) {
        this.client = client;
        this.files = files;
        this.directory = new FilePath(base.text() + "/" + thread);
        this.random = new SplittableRandom(seed * 1000 + thread);
        this.nextId = thread * IDS_OF_THREAD;
    }

    Counts counts() {
        return counts;
    }

    void run(BooleanSupplier goOn) {
        while (goOn.getAsBoolean()) {
            int dice = random.nextInt(100);
            if (stored.isEmpty() || dice < 40) {
                write();
            } else if (dice < 70) {
                read(random.nextInt(stored.size()));
            } else if (dice < 90) {
                check(random.nextInt(stored.size()));
            } else {
                rename(random.nextInt(stored.size()));
            }
            while (storedBytes > MAX_FILE_BYTES || stored.size() > MAX_FILES) {
                StoredFile oldest = forget(0);
                attempt(() -> Await.result(client.delete(oldest.path(), false)));
            }
        }
    }

    /** Reads every file back. */
    void readBack() {
        for (int i = stored.size() - 1; i >= 0; i--) {
            read(i);
        }
    }

    private void write() {
        long id = nextId++;
        long bytes = random.nextInt(5) == 0 ? random.nextLong(1, LARGE_BYTES) : random.nextLong(1, SMALL_BYTES);
        FilePath path = new FilePath(directory.text() + "/" + id);
        if (attempt(() -> files.write(path, id, bytes, BenchFiles.Timing.NONE))) {
            stored.add(new StoredFile(path, id, bytes));
            storedBytes += bytes;
            counts.writtenBytes += bytes;
        }
    }

    private void read(int index) {
        StoredFile file = stored.get(index);
        if (attempt(() -> files.read(file.path(), file.id(), file.bytes(), true, BenchFiles.Timing.NONE))) {
            counts.comparedBytes += file.bytes();
        }
    }

    private void check(int index) {
        StoredFile file = stored.get(index);
        long slice = random.nextLong((file.bytes() + Content.SLICE - 1) / Content.SLICE);
        if (attempt(() -> files.check(file.path(), file.id(), file.bytes(), slice))) {
            counts.comparedBytes += Math.min(Content.SLICE, file.bytes() - slice * Content.SLICE);
        }
    }

    private void rename(int index) {
        StoredFile file = forget(index);
        FilePath to = new FilePath(file.path().text() + "r");
        if (attempt(() -> Await.result(client.rename(file.path(), to, false)))) {
            stored.add(new StoredFile(to, file.id(), file.bytes()));
            storedBytes += file.bytes();
        }
    }

    private StoredFile forget(int index) {
        StoredFile file = stored.remove(index);
        storedBytes -= file.bytes();
        return file;
    }

    private interface Call {
        void run() throws IOException;
    }

    private boolean attempt(Call call) {
        counts.operations++;
        try {
            call.run();
            return true;
        } catch (EcfsException e) {
            failed(e.code() == ErrorCode.CHUNK_CORRUPT ? counts.wrong : counts.failures, e);
        } catch (IOException e) {
            failed(counts.failures, e);
        }
        return false;
    }

    private void failed(List<String> messages, IOException e) {
        counts.failed++;
        if (messages.size() < MAX_MESSAGES) {
            messages.add(e.getMessage());
        }
    }
}
