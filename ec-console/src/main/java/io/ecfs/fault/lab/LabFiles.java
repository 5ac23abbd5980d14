package io.ecfs.fault.lab;

import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.Crew;
import io.ecfs.client.EcfsClient;
import io.ecfs.fault.profile.LabLoad;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Files of an experiment: written before, read and written by clients meanwhile, and all read back and compared. */
final class LabFiles {
    private static final FilePath BASE = new FilePath("/fault");
    private static final int DIRECTORY_MODE = 0755;
    private static final int MOST_FAILURES = 5;

    private final EcfsClient client;
    private final LabLoad load;
    private final long seed;
    private final BenchFiles files;
    /** Acknowledged files behind those that were written before, by their ids. */
    private final List<Integer> added = Collections.synchronizedList(new ArrayList<>());

    private final AtomicInteger nextId;
    private final AtomicLong failedReads = new AtomicLong();
    private final AtomicLong failedWrites = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

    LabFiles(EcfsClient client, LabLoad load, long seed) {
        this.client = client;
        this.load = load;
        this.seed = seed;
        this.files = new BenchFiles(client, new Content(load.totalBytes()), false);
        this.nextId = new AtomicInteger(load.files());
    }

    /** Paths of the files that are written before. */
    static List<FilePath> paths(LabLoad load) {
        return IntStream.range(0, load.files()).mapToObj(LabFiles::path).toList();
    }

    private static FilePath path(int id) {
        return new FilePath(BASE.text() + "/f" + id);
    }

    /** Writes them, each with a group of its own: packed, small files would be lost and found together. */
    void write(Policy policy, Crew crew) throws Exception {
        Await.result(client.mkdirs(BASE, DIRECTORY_MODE, true));
        Await.result(client.setPolicy(BASE, Optional.of(policy)));
        Await.result(client.setPacking(BASE, Optional.of(0L)));
        crew.each(load.files(), load.threads(), this::write);
    }

    private void write(int id) throws IOException {
        files.write(path(id), id, load.bytes(), BenchFiles.Timing.NONE);
    }

    /** Reads and writes as the load says, on the crew's threads, while {@code goOn}. */
    void use(Crew crew, BooleanSupplier goOn) throws Exception {
        crew.run(load.threads(), thread -> {
            SplittableRandom random = new SplittableRandom(seed * LabLoad.MOST_THREADS + thread);
            while (goOn.getAsBoolean()) {
                boolean write = load.during().writes() && (!load.during().reads() || random.nextBoolean());
                if (write) {
                    add(nextId.getAndIncrement());
                } else {
                    readOne(random.nextInt(load.files()));
                }
            }
        });
    }

    private void add(int id) {
        try {
            write(id);
            added.add(id);
        } catch (IOException e) {
            failedWrites.incrementAndGet();
            failed("write of " + path(id), e);
        }
    }

    private void readOne(int id) {
        reads.incrementAndGet();
        try {
            files.read(path(id), id, load.bytes(), true, BenchFiles.Timing.NONE);
        } catch (IOException e) {
            failedReads.incrementAndGet();
            failed("read of " + path(id), e);
        }
    }

    private void failed(String what, IOException e) {
        if (failures.size() < MOST_FAILURES) {
            failures.add(what + ": " + e.getMessage());
        }
    }

    /**
     * Reads every byte that was acknowledged and compares it.
     *
     * @return files that could not be read, or not as they were written, with the reason
     */
    List<String> verify(Crew crew) throws Exception {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, load.files()).boxed().toList());
        all.addAll(added);
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        crew.each(all.size(), load.threads(), number -> {
            int id = all.get(number);
            try {
                files.read(path(id), id, load.bytes(), true, BenchFiles.Timing.NONE);
            } catch (IOException e) {
                wrong.add(path(id) + ": " + e.getMessage());
            }
        });
        return List.copyOf(wrong);
    }

    /** What clients saw meanwhile. */
    ClientCounts counts() {
        return new ClientCounts(
                reads.get(), failedReads.get(), added.size(), failedWrites.get(), List.copyOf(failures));
    }
}
