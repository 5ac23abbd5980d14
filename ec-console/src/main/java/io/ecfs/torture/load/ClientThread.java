package io.ecfs.torture.load;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.env.Clock;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.CallJournal;
import io.ecfs.torture.history.Operation;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One process of a history: makes calls that chance chooses, and goes on with the files that it has open. For one
 * thread.
 */
final class ClientThread {
    private static final int MOST_OPEN = 3;
    private static final int SHORTEST_WRITE = 8;
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(12);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final LoadPlan plan;
    private final EcfsClient client;
    private final Clock clock;
    private final Calls calls;
    private final SplittableRandom random;
    private final List<FileBeingWritten> open = new ArrayList<>();
    private final Set<PlayGround> prepared = new HashSet<>();
    private long nextTag;

    ClientThread(LoadPlan plan, EcfsClient client, CallJournal journal, Clock clock, int process) {
        this.plan = plan;
        this.client = client;
        this.clock = clock;
        this.calls = new Calls(journal, process);
        this.random = new SplittableRandom(plan.seed() * LoadPlan.MOST_PROCESSES + process);
        this.nextTag = (long) process << LoadPlan.TAGS_OF_PROCESS_BITS;
    }

    void run(BooleanSupplier stopped) throws IOException, InterruptedException {
        while (clock.nanos() - plan.endNanos() < 0 && !stopped.getAsBoolean()) {
            if (Files.exists(plan.drain())) {
                closeAll();
            } else if (!writeOn()) {
                call(PlayGround.at(clock.nanos() - plan.beginNanos(), random));
            }
            TimeUnit.NANOSECONDS.sleep(random.nextLong(2 * PAUSE.toNanos()));
        }
        if (random.nextBoolean()) {
            closeAll(); // otherwise the namenode must find that the writer is gone
        }
    }

    private void closeAll() throws IOException {
        for (FileBeingWritten file : open) {
            file.close();
        }
        open.clear();
    }

    /**
     * Goes on with a file whose idle time is over.
     *
     * @return false when there was none, or chance did not want to
     */
    private boolean writeOn() throws IOException {
        Optional<FileBeingWritten> due =
                open.stream().filter(file -> file.due(clock.nanos())).findFirst();
        if (due.isEmpty() || random.nextInt(3) == 0) {
            return false;
        }
        FileBeingWritten file = due.get();
        int dice = random.nextInt(10);
        if (file.full() || dice < 3) {
            open.remove(file);
            file.close();
        } else if (dice < 4 ? !file.write(writeSize()) : !file.writeAndFlush(writeSize(), dice < 7)) {
            open.remove(file);
            file.close();
        } else {
            file.idleUntil(clock.nanos() + (random.nextInt(4) == 0 ? random.nextLong(LONGEST_IDLE.toNanos()) : 0));
        }
        return true;
    }

    private void call(PlayGround ground) throws IOException {
        if (prepared.add(ground)) {
            mkdirs(ground.base());
            mkdirs(ground.directory());
        }
        String path = ground.any(random);
        int dice = random.nextInt(100);
        if (dice < 22) {
            open(path, true);
        } else if (dice < 32) {
            open(path, false);
        } else if (dice < 42) {
            rename(path, ground.other(path, random));
        } else if (dice < 49) {
            delete(path);
        } else if (dice < 54) {
            mkdirs(random.nextInt(3) == 0 ? path : ground.directory());
        } else if (dice < 60) {
            truncate(path);
        } else if (dice < 65) {
            concat(path, ground.other(path, random));
        } else if (dice < 68) {
            recover(path);
        } else if (dice < 76) {
            status(path);
        } else {
            FileReading how = FileReading.any(random);
            calls.make(new Operation.Read(path, how.how()), () -> how.read(client, new FilePath(path), random));
        }
    }

    private void open(String path, boolean create) throws IOException {
        if (open.size() == MOST_OPEN) {
            return;
        }
        long tag = nextTag++;
        long most = fileSize();
        boolean sync = random.nextInt(3) == 0;
        EcfsOutputStream[] stream = new EcfsOutputStream[1];
        Answer answer;
        if (create) {
            boolean overwrite = random.nextInt(3) > 0;
            CreateOptions options = new CreateOptions(0644, overwrite, false, Optional.empty(), sync, Optional.empty());
            answer = calls.make(new Operation.Create(path, tag, overwrite, most), () -> {
                stream[0] = Await.result(client.create(new FilePath(path), options));
                return new Answer.Done();
            });
        } else {
            answer = calls.make(new Operation.Append(path, tag, most), () -> {
                stream[0] = Await.result(client.append(new FilePath(path), sync));
                return new Answer.Sized(stream[0].file().length());
            });
        }
        if (answer instanceof Answer.Done || answer instanceof Answer.Sized) {
            open.add(new FileBeingWritten(calls, stream[0], tag, most, sync));
        }
    }

    private void rename(String from, String to) throws IOException {
        boolean overwrite = random.nextBoolean();
        done(
                new Operation.Rename(from, to, overwrite),
                () -> client.rename(new FilePath(from), new FilePath(to), overwrite));
    }

    private void delete(String path) throws IOException {
        boolean recursive = random.nextInt(4) == 0;
        done(new Operation.Delete(path, recursive), () -> client.delete(new FilePath(path), recursive));
    }

    private void mkdirs(String path) throws IOException {
        boolean ground = path.lastIndexOf('/') == PlayGround.ROOT.length();
        done(new Operation.Mkdirs(path), () -> client.mkdirs(new FilePath(path), 0755, ground));
    }

    private void truncate(String path) throws IOException {
        long length = random.nextLong(fileSize());
        calls.make(new Operation.Truncate(path, length), () -> sized(client.truncate(new FilePath(path), length)));
    }

    private void concat(String path, String source) throws IOException {
        calls.make(
                new Operation.Concat(path, List.of(source)),
                () -> sized(client.concat(new FilePath(path), List.of(new FilePath(source)))));
    }

    private static Answer sized(CompletableFuture<FileStatus> status) throws IOException {
        return new Answer.Sized(Await.result(status).length());
    }

    private void recover(String path) throws IOException {
        calls.make(
                new Operation.Recover(path),
                () -> new Answer.Recovered(Await.result(client.recoverLease(new FilePath(path)))));
    }

    private void status(String path) throws IOException {
        calls.make(new Operation.Status(path), () -> seen(client, path));
    }

    static Answer seen(EcfsClient client, String path) throws IOException {
        FileStatus status = Await.result(client.status(new FilePath(path)));
        return new Answer.Seen(status.directory(), status.length(), status.open());
    }

    private interface Change {
        CompletableFuture<Void> begin();
    }

    private void done(Operation operation, Change change) throws IOException {
        calls.make(operation, () -> {
            Await.result(change.begin());
            return new Answer.Done();
        });
    }

    /** Mostly less than a stripe, sometimes several groups' worth of stripes, often right at the edge of a cell. */
    private long fileSize() {
        long cell = plan.policy().cellBytes();
        long most = random.nextInt(3) == 0 ? 4 * plan.policy().stripeBytes() : cell;
        return Math.max(SHORTEST_WRITE, atAnEdge(random.nextLong(1, most + 1), cell));
    }

    private long writeSize() {
        long cell = plan.policy().cellBytes();
        return Math.max(SHORTEST_WRITE, atAnEdge(random.nextLong(1, random.nextBoolean() ? 4096 : 2 * cell), cell));
    }

    private long atAnEdge(long bytes, long cell) {
        return random.nextInt(3) > 0 || bytes < cell ? bytes : bytes / cell * cell + random.nextInt(3) - 1;
    }
}
