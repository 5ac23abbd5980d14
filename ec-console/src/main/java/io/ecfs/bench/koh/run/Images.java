package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.AccessPattern;
import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.IoKind;
import io.ecfs.bench.koh.RequestStream;
import io.ecfs.bench.load.BenchFiles;
import io.ecfs.bench.load.Content;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The files of a run. Those that are read were written once, and patched or merged when that is their state. Those that
 * are overwritten are fresh for each stage, so that none pays for the space that another one left to be reclaimed; of a
 * quick run they stay until as much was written as they have. Every file is read back and compared before it goes. For
 * one thread.
 */
final class Images {
    /** Of its size, what a stage writes to a file at most when less than that is reclaimed. */
    static final int PASSES = 2;

    /** 4 GiB get 10^5 patches. */
    private static final int BYTES_PER_PATCH = 40 << 10;

    static final int PATCH_BYTES = 4 << 10;
    private static final int PATCH_DEPTH = 256;
    private static final long PATCH_SEED = 24;

    private final KohCluster cluster;
    private final EcfsClient client;
    private final Content content;
    private final BenchFiles files;
    private final long fileBytes;
    private final int blockBytes;
    private final Map<ReadKey, Image> read = new HashMap<>();
    private final Map<Policy, Image> overwritten = new HashMap<>();
    private final Map<Policy, List<Image>> sets = new HashMap<>();
    private long count;

    private record ReadKey(Policy policy, ImageState state) {}

    /** @param blockBytes a power of two that all requests are multiples of */
    Images(KohCluster cluster, long fileBytes, int blockBytes) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.content = new Content(fileBytes);
        this.files = new BenchFiles(client, content, false);
        this.fileBytes = fileBytes;
        this.blockBytes = blockBytes;
    }

    long fileBytes() {
        return fileBytes;
    }

    /** A written file that is only read. */
    Image read(Policy policy, ImageState state) throws IOException {
        ReadKey key = new ReadKey(policy, state);
        if (!read.containsKey(key)) {
            Image image = written(policy, fileBytes);
            if (state.isPatched()) {
                patch(image, state == ImageState.MERGED);
            }
            read.put(key, image);
        }
        return read.get(key);
    }

    private void patch(Image image, boolean merged) throws IOException {
        UpdateOptions options = UpdateOptions.defaults().spare(UpdateSetting.UNCOMPACTED);
        try (UpdatableFile file = Await.result(client.update(image.path(), options))) {
            scatter(image, file, PATCH_BYTES, fileBytes / BYTES_PER_PATCH);
            if (merged) {
                Await.result(file.compactAndClose());
            }
        }
    }

    /** Overwrites at random places. */
    private void scatter(Image image, UpdatableFile file, int bytes, long count) throws IOException {
        RequestStream requests = new RequestStream(AccessPattern.RANDOM, IoKind.WRITE, bytes, fileBytes, PATCH_SEED);
        ArrayDeque<CompletableFuture<?>> underWay = new ArrayDeque<>();
        for (long i = 0; i < count; i++) {
            if (underWay.size() == PATCH_DEPTH) {
                Await.result(underWay.remove());
            }
            long position = requests.next().position();
            underWay.add(file.write(position, image.expected().write(position, bytes)));
        }
        for (CompletableFuture<?> write : underWay) {
            Await.result(write);
        }
    }

    private void age(Image image) throws IOException {
        UpdateSetting updates = cluster.setting().updates();
        if (updates.age() == 0) {
            return;
        }
        int bytes = Math.max(PATCH_BYTES, blockBytes);
        try (UpdatableFile file = Await.result(client.update(image.path(), updates.options()))) {
            scatter(image, file, bytes, (long) (updates.age() * fileBytes / bytes));
        }
    }

    /** Bytes that may still be written to a file that is overwritten. */
    long most(Image image) {
        return cluster.setting().updates().spare() < PASSES ? Long.MAX_VALUE : PASSES * fileBytes - image.written();
    }

    /** A written file, as old as the setting says, that can be overwritten by as many bytes as it has, and more. */
    Image overwritten(Policy policy) throws IOException {
        Image present = overwritten.get(policy);
        if (present != null && isUsedUp(present.written(), fileBytes)) {
            drop(overwritten.remove(policy));
        }
        if (!overwritten.containsKey(policy)) {
            Image image = written(policy, fileBytes);
            age(image);
            overwritten.put(policy, image);
        }
        return overwritten.get(policy);
    }

    private boolean isUsedUp(long written, long bytes) {
        return written >= (cluster.setting().quiet() ? 1 : bytes);
    }

    /** A name for a file that is not there. */
    Image pristine(Policy policy) {
        return image(policy, fileBytes);
    }

    /** Written files of a mix, each of {@code bytes}. */
    List<Image> set(Policy policy, int number, long bytes) throws IOException {
        List<Image> present = sets.get(policy);
        if (present != null
                && isUsedUp(present.stream().mapToLong(Image::written).sum(), number * bytes)) {
            for (Image image : sets.remove(policy)) {
                drop(image);
            }
        }
        if (!sets.containsKey(policy)) {
            List<Image> made = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                made.add(written(policy, bytes));
            }
            sets.put(policy, made);
        }
        return sets.get(policy);
    }

    /** Compares a file with what was written, and deletes it. */
    void drop(Image image) throws IOException {
        image.verify(client);
        Await.result(client.delete(image.path(), false));
    }

    /** Drops all that are left. */
    void dropAll() throws IOException {
        List<Image> left = new ArrayList<>(read.values());
        left.addAll(overwritten.values());
        sets.values().forEach(left::addAll);
        read.clear();
        overwritten.clear();
        sets.clear();
        for (Image image : left) {
            drop(image);
        }
    }

    private Image written(Policy policy, long bytes) throws IOException {
        Image image = image(policy, bytes);
        files.write(image.path(), image.expected().filledId(), bytes, BenchFiles.Timing.NONE);
        image.expected().fill(bytes);
        return image;
    }

    private Image image(Policy policy, long bytes) {
        long id = ++count;
        return new Image(
                new FilePath(cluster.directory(policy).text() + "/" + id),
                new ExpectedFile(content, id, bytes, blockBytes));
    }
}
