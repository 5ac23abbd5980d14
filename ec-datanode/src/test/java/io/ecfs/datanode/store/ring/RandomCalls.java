package io.ecfs.datanode.store.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.device.StagingArea;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/** Calls of a volume's port as chance wants them, beside a model that tells what each must answer. */
final class RandomCalls {
    static final List<String> DIRECTORIES = List.of("", "a", "b", "b/c");
    private static final int FILES = 3;
    private static final int MOST_BYTES = 40;

    private final Random random;
    private final VolumeModel model;
    private final List<String> trace = new ArrayList<>();
    private byte next = 1;

    /** What the last call would have done, if it crashed. */
    private Runnable pending = () -> {};

    private Optional<PendingWrite> pendingWrite = Optional.empty();

    /** A write that may have got anywhere. */
    record PendingWrite(String path, int offset, byte[] bytes) {}

    RandomCalls(Random random, VolumeModel model) {
        this.random = random;
        this.model = model;
    }

    /** The directories in which files are, on disk. */
    static void makeDirectories(VolumeIo io) throws IOException {
        for (String directory : DIRECTORIES.subList(1, DIRECTORIES.size())) {
            io.createDirectory(directory);
            io.syncDirectory(VolumeIo.parent(directory));
        }
    }

    private String path() {
        String directory = DIRECTORIES.get(random.nextInt(DIRECTORIES.size()));
        String ending = random.nextBoolean() ? ".x" : ".y";
        return (directory.isEmpty() ? "" : directory + "/") + "f" + random.nextInt(FILES) + ending;
    }

    private String existing() {
        List<String> all = List.copyOf(model.content().keySet());
        return all.isEmpty() || random.nextInt(20) == 0 ? path() : all.get(random.nextInt(all.size()));
    }

    /** One call, which must answer as the model does. */
    void call(VolumeIo io) throws IOException {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> create(io, path());
            case 4, 5, 6, 7, 8 -> write(io, existing());
            case 9, 10 -> truncate(io, existing());
            case 11, 12, 13 -> rename(io, existing(), path());
            case 14 -> delete(io, existing());
            case 15, 16 -> sync(io, existing());
            case 17, 18 -> syncDirectory(io, DIRECTORIES.get(random.nextInt(DIRECTORIES.size())));
            default -> syncAll(io, List.of(existing(), existing()));
        }
        pending = () -> {};
        pendingWrite = Optional.empty();
        model.beginSync(List.of());
    }

    private void create(VolumeIo io, String path) throws IOException {
        if (model.has(path)) {
            assertThatThrownBy(() -> io.create(path)).isInstanceOf(FileAlreadyExistsException.class);
            return;
        }
        note("create " + path);
        run(() -> model.create(path), () -> io.create(path));
    }

    private void write(VolumeIo io, String path) throws IOException {
        int offset = random.nextInt(MOST_BYTES);
        byte[] bytes = new byte[1 + random.nextInt(MOST_BYTES)];
        for (int i = 0; i < bytes.length; i++) {
            next = (byte) (next == -1 ? 1 : next + 1);
            bytes[i] = next;
        }
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (missing(path, () -> io.write(path, offset, from))) {
            return;
        }
        pendingWrite = Optional.of(new PendingWrite(path, offset, bytes));
        note("write " + path + " " + offset + "+" + bytes.length + " of " + bytes[0]);
        run(() -> model.write(path, offset, bytes), () -> io.write(path, offset, from));
        assertThat(from.hasRemaining()).isFalse();
    }

    private void truncate(VolumeIo io, String path) throws IOException {
        int length = random.nextInt(2 * MOST_BYTES);
        if (!missing(path, () -> io.truncate(path, length))) {
            note("truncate " + path + " " + length);
            run(() -> model.truncate(path, length), () -> io.truncate(path, length));
        }
    }

    private void rename(VolumeIo io, String from, String to) throws IOException {
        if (!missing(from, () -> io.rename(from, to))) {
            note("rename " + from + " " + to);
            run(() -> model.rename(from, to), () -> io.rename(from, to));
        }
    }

    private void delete(VolumeIo io, String path) throws IOException {
        if (!missing(path, () -> io.delete(path))) {
            note("delete " + path);
            run(() -> model.delete(path), () -> io.delete(path));
        }
    }

    private void sync(VolumeIo io, String path) throws IOException {
        if (!missing(path, () -> io.sync(path))) {
            note("sync " + path);
            io.sync(path);
            model.sync(path);
        }
    }

    private void syncDirectory(VolumeIo io, String directory) throws IOException {
        note("sync " + directory + "/");
        model.beginSync(List.of(directory));
        io.syncDirectory(directory);
        model.syncDirectory(directory);
    }

    private void syncAll(VolumeIo io, List<String> files) throws IOException {
        note("sync all " + files);
        model.beginSync(files.stream().map(VolumeIo::parent).toList());
        io.syncAll(files);
        for (String file : files) {
            if (model.has(file)) {
                model.sync(file);
            }
            model.syncDirectory(VolumeIo.parent(file));
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /** The last calls, for a failure. */
    String trace() {
        return trace.subList(Math.max(0, trace.size() - 40), trace.size()).toString();
    }

    void note(String what) {
        trace.add(what);
    }

    private void run(Runnable onModel, Step step) throws IOException {
        pending = onModel;
        step.run();
        onModel.run();
    }

    private boolean missing(String path, Step step) {
        if (model.has(path)) {
            return false;
        }
        assertThatThrownBy(step::run).isInstanceOf(NoSuchFileException.class);
        return true;
    }

    /** The call that crashed may have done all that it does. */
    void finishCrashedCall() {
        pending.run();
    }

    Optional<PendingWrite> crashedWrite() {
        return pendingWrite;
    }

    /** All files of a volume with their bytes, by all ways in which they can be seen. */
    static Map<String, byte[]> content(VolumeIo io) throws IOException {
        Map<String, byte[]> all = new TreeMap<>();
        for (String directory : DIRECTORIES) {
            for (String name : io.list(directory)) {
                String path = directory.isEmpty() ? name : directory + "/" + name;
                if (DIRECTORIES.contains(path) || path.equals(StagingArea.DIRECTORY)) {
                    continue;
                }
                OptionalLong length = io.length(path);
                assertThat(length).as("length of %s, which is listed", path).isPresent();
                ByteBuffer into = ByteBuffer.allocate((int) length.getAsLong() + 10);
                assertThat(io.read(path, 0, into)).isEqualTo((int) length.getAsLong());
                byte[] bytes = Arrays.copyOf(into.array(), into.position());
                all.put(path, bytes);
                int middle = bytes.length / 2;
                ByteBuffer part = ByteBuffer.allocate(7);
                int read = io.read(path, middle, part);
                assertThat(Arrays.copyOf(part.array(), read))
                        .as("a part of %s", path)
                        .isEqualTo(Arrays.copyOfRange(bytes, middle, Math.min(bytes.length, middle + 7)));
            }
        }
        return all;
    }
}
