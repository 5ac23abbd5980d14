package io.ecfs.sim.script;

import static io.ecfs.sim.time.SimulationFailure.check;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.fault.profile.LabLoad;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.sim.cluster.Contents;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.time.SimulationFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The files of an experiment, and the clients that write them, use them while faults last, and read them back. */
public final class ScriptedLoad {
    /** Where they lie, as {@code /fault/f0}, as in a lab of processes. */
    private static final FilePath DIRECTORY = FilePath.ROOT.child("fault");

    /** Most stripes that a writer gives away before it waits for the acknowledgement. */
    private static final int STRIPES = 16;

    private static final int PIECE_BYTES = 4 << 20;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final World world;
    private final LabLoad load;
    private final Policy policy;
    private final ClientConfig config;
    private final List<Address> namenodes;
    private final SplittableRandom random;
    private final List<ScriptedClient> clients = new ArrayList<>();
    /** Closed files, each with the tag of its contents. */
    private final TreeMap<FilePath, Long> written = new TreeMap<>();

    private final Counts counts = new Counts();
    private boolean stopped;
    private int busy;
    private int named;

    /** Requests while faults last. */
    private static final class Counts {
        long read;
        long written;
        long failed;
        long wrong;
        long bytesBack;
    }

    public ScriptedLoad(
            World world,
            LabLoad load,
            Policy policy,
            ClientConfig config,
            List<Address> namenodes,
            SplittableRandom random) {
        this.world = world;
        this.load = load;
        this.policy = policy;
        this.config = config;
        this.namenodes = namenodes;
        this.random = random;
        for (int number = 0; number < load.threads(); number++) {
            clients.add(client("c" + number));
        }
    }

    private ScriptedClient client(String host) {
        return ScriptedClient.start(world, host, namenodes, config, random.split());
    }

    /** Writes all files; a failure ends the run, since nothing is wrong yet. */
    public CompletableFuture<Void> writeAll() {
        return raising(clients.get(0)
                .client()
                .mkdirs(DIRECTORY, 0755, true)
                .thenCompose(made -> CompletableFuture.allOf(
                        clients.stream().map(this::writeOn).toArray(CompletableFuture[]::new))));
    }

    private CompletableFuture<Void> writeOn(ScriptedClient client) {
        return named >= load.files()
                ? CompletableFuture.completedFuture(null)
                : write(client).thenCompose(done -> writeOn(client));
    }

    private CompletableFuture<Void> write(ScriptedClient client) {
        long tag = ++named;
        FilePath path = DIRECTORY.child("f" + (tag - 1));
        // Synced, since a disk in memory has a second copy of what is not.
        CreateOptions options =
                CreateOptions.defaults().withPolicy(policy).withSync(true).packed(false);
        return client.client()
                .create(path, options)
                .thenCompose(stream -> write(stream, tag, 0))
                .thenRun(() -> written.put(path, tag));
    }

    private CompletableFuture<Void> write(EcfsOutputStream stream, long tag, long from) {
        if (from == load.bytes()) {
            return stream.closeLater();
        }
        long most = policy.stripeBytes() * Math.max(1, Math.min(STRIPES, PIECE_BYTES / policy.stripeBytes()));
        long to = Math.min(load.bytes(), from + most);
        try {
            stream.write(Contents.of(tag, Math.toIntExact(from), Math.toIntExact(to)));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return stream.acknowledgeLater(false)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        stream.closeLater(); // as everybody closes a stream that failed
                    }
                })
                .thenCompose(done -> write(stream, tag, to));
    }

    /** Begins what clients do while faults last, until {@link #stop}. */
    public void begin() {
        if (load.during() != LabLoad.During.NONE) {
            busy = clients.size();
            clients.forEach(this::next);
        }
    }

    public void stop() {
        stopped = true;
    }

    /** No request is under way. */
    public boolean idle() {
        return busy == 0;
    }

    private void next(ScriptedClient client) {
        if (stopped) {
            busy--;
            return;
        }
        client.process()
                .after(
                        random.nextLong(LONGEST_PAUSE.toNanos()),
                        () -> request(client).whenComplete((done, failure) -> {
                            counts.failed += failure == null ? 0 : 1;
                            client.process().after(0, () -> next(client));
                        }));
    }

    /** At most as many files are written meanwhile as were before. */
    private CompletableFuture<Void> request(ScriptedClient client) {
        boolean mayWrite = load.during().writes() && named < 2 * load.files();
        if (mayWrite && (!load.during().reads() || random.nextBoolean())) {
            return write(client).thenRun(() -> counts.written++);
        }
        if (!load.during().reads()) {
            return CompletableFuture.completedFuture(null);
        }
        List<FilePath> files = List.copyOf(written.keySet());
        FilePath path = files.get(random.nextInt(files.size()));
        return read(client, path).thenAccept(right -> {
            counts.read++;
            counts.wrong += right ? 0 : 1;
        });
    }

    /** Reads all closed files by a client of its own; a byte that is not as written, or not there, ends the run. */
    public CompletableFuture<Void> readAll() {
        ScriptedClient reader = client("reader");
        CompletableFuture<Void> read = CompletableFuture.completedFuture(null);
        for (FilePath path : written.keySet()) {
            read = read.thenCompose(before -> read(reader, path)).thenAccept(right -> {
                check(right, "%s has other bytes than were written", path);
                counts.bytesBack += load.bytes();
            });
        }
        return raising(read);
    }

    /** Returns whether the bytes are those that were written. */
    private CompletableFuture<Boolean> read(ScriptedClient client, FilePath path) {
        long tag = written.get(path);
        return client.client().open(path).thenCompose(reader -> {
            if (reader.length() != load.bytes()) {
                return CompletableFuture.completedFuture(false);
            }
            return read(reader, tag, 0);
        });
    }

    private CompletableFuture<Boolean> read(FileReader reader, long tag, long from) {
        if (from == load.bytes()) {
            return CompletableFuture.completedFuture(true);
        }
        int bytes = (int) Math.min(PIECE_BYTES, load.bytes() - from);
        ByteBuffer into = ByteBuffer.allocate(bytes);
        return reader.readLater(from, into).thenCompose(read -> {
            byte[] right = Contents.of(tag, Math.toIntExact(from), Math.toIntExact(from + bytes));
            return Arrays.equals(right, into.array())
                    ? read(reader, tag, from + bytes)
                    : CompletableFuture.completedFuture(false);
        });
    }

    /** Also within a callback, where a thrown failure would only fail the next future. */
    private CompletableFuture<Void> raising(CompletableFuture<Void> work) {
        return work.whenComplete((done, failure) -> {
            if (failure != null) {
                world.time().raise(new SimulationFailure("the load fails: " + failure.getMessage(), failure));
            }
        });
    }

    public SimulatedOutcome.Load outcome() {
        return new SimulatedOutcome.Load(
                written.size(), counts.bytesBack, counts.read, counts.written, counts.failed, counts.wrong);
    }
}
