package io.ecfs.bench.device;

import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.load.Crew;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Measures a directory's device: reads alone, writes alone, three reads for each write, and reads after writes. */
public final class DeviceBench {
    /** What the paper's requests have, and twice that. */
    public static final List<Integer> REQUEST_BYTES = List.of(128 << 10, 256 << 10);

    private static final int READERS = 4;
    private static final int WRITERS = 2;
    private static final double READS_OF_MIX = 0.75;
    private static final int PREPARED_BYTES = 1 << 20;

    /** So many times as long as a part may take until the file is written. */
    private static final int PREPARING_PARTS = 4;

    private static final long BURST_NANOS = 200_000_000;
    private static final long WATCHED_NANOS = 300_000_000;

    /** Latencies of a thread that are kept. */
    private static final int MOST_KEPT = 1 << 20;

    private final Path directory;
    private final List<Integer> requestBytes;
    private final long bytes;
    private final double seconds;
    private final SplittableRandom random;

    /**
     * @param bytes of the file
     * @param seconds of each part
     */
    public DeviceBench(Path directory, long bytes, double seconds, long seed) {
        this(directory, REQUEST_BYTES, bytes, seconds, seed);
    }

    /** @param requestBytes two sizes, the smaller one first: multiples of 4 KiB */
    public DeviceBench(Path directory, List<Integer> requestBytes, long bytes, double seconds, long seed) {
        if (bytes < 2L * PREPARED_BYTES || !(seconds > 0 && seconds <= 600)) {
            throw new IllegalArgumentException("a file has 2 MiB at least and a part takes more than 0 s and at most"
                    + " 600, got " + bytes + " bytes, " + seconds + " s");
        }
        this.directory = directory;
        this.requestBytes = List.copyOf(requestBytes);
        this.bytes = bytes / PREPARED_BYTES * PREPARED_BYTES;
        this.seconds = seconds;
        this.random = new SplittableRandom(seed);
    }

    /** Requests of one part. */
    private record Part(double rate, double reads, long[] readNanos) {}

    /** @param doing notified of each part that begins */
    public MeasuredMedium run(Consumer<String> doing) throws Exception {
        try (DirectFile file = DirectFile.create(directory, bytes);
                Crew crew = new Crew()) {
            doing.accept("writing the file");
            long written = prepare(file);
            List<Part> reads = new ArrayList<>();
            List<Part> writes = new ArrayList<>();
            List<Part> mixed = new ArrayList<>();
            for (int size : requestBytes) {
                String of = " of " + (size >> 10) + " KiB";
                doing.accept("reads" + of);
                reads.add(part(crew, file, written, size, READERS, 1));
                doing.accept("writes" + of);
                writes.add(part(crew, file, written, size, WRITERS, 0));
                doing.accept("three reads a write" + of);
                mixed.add(part(crew, file, written, size, READERS, READS_OF_MIX));
            }
            doing.accept("reads after writes");
            List<Double> after = after(crew, file, written, requestBytes.get(0));
            DeviceMeasurement measured = new DeviceMeasurement(
                    requestBytes,
                    reads.stream().map(Part::rate).toList(),
                    writes.stream().map(Part::rate).toList(),
                    mixed.stream().map(Part::rate).toList(),
                    mixed.stream().map(Part::reads).toList(),
                    READERS,
                    reads.get(0).readNanos(),
                    mixed.get(0).readNanos(),
                    after);
            FlashDevice fitted = DeviceFit.of(measured);
            return new MeasuredMedium(directory.toString(), fitted);
        }
    }

    /** Writes the file, or as much of it as a few parts take. */
    private long prepare(DirectFile file) throws IOException {
        ByteBuffer buffer = filled(PREPARED_BYTES, random.split());
        long until = System.nanoTime() + Math.round(PREPARING_PARTS * seconds * 1e9);
        long at = 0;
        while (at < bytes && (at < 2L * PREPARED_BYTES || System.nanoTime() < until)) {
            file.write(buffer, at);
            at += PREPARED_BYTES;
        }
        return at;
    }

    private static ByteBuffer filled(int bytes, SplittableRandom random) {
        ByteBuffer buffer = DirectFile.buffer(bytes);
        while (buffer.remaining() >= Long.BYTES) {
            buffer.putLong(random.nextLong());
        }
        return buffer;
    }

    private Part part(Crew crew, DirectFile file, long written, int size, int threads, double readShare)
            throws Exception {
        long begun = System.nanoTime();
        long until = begun + Math.round(seconds * 1e9);
        SplittableRandom[] randoms = new SplittableRandom[threads];
        Arrays.setAll(randoms, i -> random.split());
        AtomicLong all = new AtomicLong();
        AtomicLong reads = new AtomicLong();
        long[][] nanos = new long[threads][];
        crew.run(threads, thread -> {
            SplittableRandom own = randoms[thread];
            ByteBuffer buffer = filled(size, own);
            long[] kept = new long[1024];
            int count = 0;
            long now = System.nanoTime();
            do {
                long offset = offset(own, written, size);
                boolean read = own.nextDouble() < readShare;
                if (read) {
                    file.read(buffer, offset);
                } else {
                    file.write(buffer, offset);
                }
                long end = System.nanoTime();
                all.incrementAndGet();
                if (read) {
                    reads.incrementAndGet();
                    if (count < MOST_KEPT) {
                        kept = count < kept.length ? kept : Arrays.copyOf(kept, 2 * kept.length);
                        kept[count++] = end - now;
                    }
                }
                now = end;
            } while (now < until);
            nanos[thread] = Arrays.copyOf(kept, count);
        });
        double took = (System.nanoTime() - begun) / 1e9;
        long[] latencies =
                Arrays.stream(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
        return new Part(all.get() / took, (double) reads.get() / all.get(), latencies);
    }

    /** Bursts of writes, each followed by reads alone. */
    private List<Double> after(Crew crew, DirectFile file, long written, int size) throws Exception {
        int slices = (int) (WATCHED_NANOS / DeviceMeasurement.SLICE_NANOS);
        double[] sums = new double[slices];
        long[] counts = new long[slices];
        long until = System.nanoTime() + Math.round(seconds * 1e9);
        SplittableRandom own = random.split();
        ByteBuffer buffer = filled(size, own);
        do {
            long burst = System.nanoTime() + BURST_NANOS;
            SplittableRandom[] randoms = {own.split(), own.split()};
            crew.run(WRITERS, thread -> {
                ByteBuffer bytesOfThread = filled(size, randoms[thread]);
                do {
                    file.write(bytesOfThread, offset(randoms[thread], written, size));
                } while (System.nanoTime() < burst);
            });
            long ended = System.nanoTime();
            long now = ended;
            while (now - ended < WATCHED_NANOS) {
                file.read(buffer, offset(own, written, size));
                long end = System.nanoTime();
                int slice = (int) ((now - ended) / DeviceMeasurement.SLICE_NANOS);
                sums[slice] += end - now;
                counts[slice]++;
                now = end;
            }
        } while (System.nanoTime() < until);
        List<Double> means = new ArrayList<>();
        for (int slice = 0; slice < slices; slice++) {
            means.add(counts[slice] == 0 ? 0 : sums[slice] / counts[slice]);
        }
        return means;
    }

    private static long offset(SplittableRandom random, long written, int size) {
        return random.nextLong((written - size) / DirectFile.ALIGNED + 1) * DirectFile.ALIGNED;
    }
}
