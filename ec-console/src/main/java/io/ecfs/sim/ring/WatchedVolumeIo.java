package io.ecfs.sim.ring;

import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The port of a staged volume, compared with a model: reads find what was written, the next process finds what this one
 * left, and after a loss of power what was synced. What a failed call has touched is not compared any more.
 */
final class WatchedVolumeIo extends ForwardingVolumeIo {
    private final VolumeIo io;
    private final Consumer<String> wrong;
    private final Map<String, FileContents> files = new TreeMap<>();
    private final Map<String, FileContents> replaced = new HashMap<>();
    private boolean compared = true;

    private interface Call {
        void run() throws IOException;
    }

    private WatchedVolumeIo(VolumeIo io, Consumer<String> wrong) {
        super(io);
        this.io = io;
        this.wrong = wrong;
    }

    /**
     * The port of a new process.
     *
     * @param before that of the process before it
     * @param loss how that one ended
     * @param onDisk whether all that is there now survives a loss of power; otherwise some may be in a journal alone
     *     that does not
     * @param wrong gets what must not be
     */
    static WatchedVolumeIo begin(
            VolumeIo io, Optional<WatchedVolumeIo> before, Loss loss, boolean onDisk, Consumer<String> wrong)
            throws IOException {
        WatchedVolumeIo now = new WatchedVolumeIo(io, wrong);
        if (before.isPresent()) {
            now.compared = before.get().compared;
            now.takeOver(before.get(), loss, onDisk);
        }
        return now;
    }

    private void takeOver(WatchedVolumeIo before, Loss loss, boolean onDisk) throws IOException {
        if (!onDisk) {
            replaced.putAll(before.replaced);
        }
        for (Map.Entry<String, FileContents> entry : before.files.entrySet()) {
            String name = entry.getKey();
            FileContents file = entry.getValue();
            Set<String> names = new LinkedHashSet<>(Set.of(name));
            if (loss == Loss.UNSYNCED) {
                names.addAll(file.durableNames());
            }
            if (before.compared && (loss == Loss.NOTHING || file.mustStay()) && !before.replaced.containsKey(name)) {
                compare(file, names, loss);
            }
            if (onDisk) {
                for (String each : names) {
                    adopt(each);
                }
            } else if (io.length(name).isPresent()) {
                files.put(name, file);
            }
        }
    }

    private void compare(FileContents file, Set<String> names, Loss loss) throws IOException {
        String found = "there is none";
        for (String name : names) {
            Optional<byte[]> bytes = all(name);
            if (bytes.isPresent()) {
                if (loss == Loss.NOTHING ? Arrays.equals(bytes.get(), file.bytes()) : file.firstLost(bytes.get()) < 0) {
                    return;
                }
                found = name + " has " + bytes.get().length + " bytes, wrong from "
                        + (loss == Loss.NOTHING
                                ? Arrays.mismatch(bytes.get(), file.bytes())
                                : file.firstLost(bytes.get()));
            }
        }
        wrong.accept(io.describe() + ": " + names + " of " + file.bytes().length + " bytes did not survive the loss of "
                + loss + ": " + found);
    }

    private void adopt(String name) throws IOException {
        Optional<byte[]> bytes = all(name);
        if (bytes.isPresent()) {
            FileContents file = new FileContents();
            file.write(0, bytes.get());
            file.sync();
            file.syncName(name);
            files.put(name, file);
        }
    }

    private Optional<byte[]> all(String name) throws IOException {
        OptionalLong length = io.length(name);
        if (length.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer into = ByteBuffer.allocate(Math.toIntExact(length.getAsLong()));
        io.read(name, 0, into);
        return Optional.of(into.array());
    }

    /** Bytes are changed behind this port: nothing is compared from now on. */
    void disturb() {
        compared = false;
    }

    private void change(Call call, String... touched) throws IOException {
        boolean done = false;
        try {
            call.run();
            done = true;
        } finally {
            if (!done) {
                for (String name : touched) {
                    files.remove(name);
                }
            }
        }
    }

    private Optional<FileContents> file(String name) {
        return Optional.ofNullable(files.get(name));
    }

    @Override
    public int read(String name, long offset, ByteBuffer into) throws IOException {
        int start = into.position();
        int count = super.read(name, offset, into);
        file(name).filter(file -> compared).ifPresent(file -> {
            byte[] read = new byte[count];
            into.duplicate().position(start).get(read);
            int from = (int) Math.min(offset, file.bytes().length);
            int to = Math.min(file.bytes().length, from + into.position() - start + into.remaining());
            if (!Arrays.equals(read, Arrays.copyOfRange(file.bytes(), from, to))) {
                wrong.accept(io.describe() + ": other bytes of " + name + " from " + offset + " are read than written");
            }
        });
        return count;
    }

    @Override
    public void create(String name) throws IOException {
        change(() -> super.create(name), name);
        files.put(name, new FileContents());
    }

    @Override
    public void write(String name, long offset, ByteBuffer from) throws IOException {
        byte[] bytes = new byte[from.remaining()];
        from.duplicate().get(bytes);
        change(() -> super.write(name, offset, from), name);
        file(name).ifPresent(file -> file.write(Math.toIntExact(offset), bytes));
    }

    @Override
    public void truncate(String name, long length) throws IOException {
        change(() -> super.truncate(name, length), name);
        file(name).ifPresent(file -> file.truncate(Math.toIntExact(length)));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        change(() -> super.rename(from, to), from, to);
        FileContents gone = files.get(to);
        FileContents moved = files.remove(from);
        if (gone != null) {
            replaced.put(to, gone);
        }
        if (moved == null) {
            files.remove(to);
        } else {
            moved.rename(to);
            files.put(to, moved);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        change(() -> super.delete(name), name);
        files.remove(name);
    }

    @Override
    public void sync(String name) throws IOException {
        super.sync(name);
        file(name).ifPresent(FileContents::sync);
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        super.syncDirectory(directory);
        synced(directory);
    }

    private void synced(String directory) {
        files.forEach((name, file) -> {
            if (VolumeIo.parent(name).equals(directory)) {
                file.syncName(name);
                replaced.remove(name);
            }
        });
    }

    @Override
    public void syncAll(List<String> names) throws IOException {
        super.syncAll(names);
        names.forEach(name -> file(name).ifPresent(FileContents::sync));
        names.stream().map(VolumeIo::parent).distinct().forEach(this::synced);
    }
}
