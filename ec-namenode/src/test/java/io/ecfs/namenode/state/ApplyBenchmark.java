package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.Rename;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Encoded commands applied to the facts, one command an entry, on a store in memory and in RocksDB, and their answers
 * decoded as the leader does. A file is created with its lease and first group; it is renamed and deleted while it is
 * open. Time is by command; each iteration is one batch of files that nothing was done to before, in one directory that
 * grows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 25)
@Measurement(iterations = 10)
public class ApplyBenchmark {
    private static final int BATCH = 1000;
    private static final int DATANODES = 9;
    private static final long NOW = 1_800_000_000_000L;
    private static final CallerIdentity ROOT = new CallerIdentity("root", List.of());

    @Param({"memory", "rocks"})
    public String store;

    @Param({"create", "rename", "delete"})
    public String operation;

    private final CommandCodec codec = new CommandCodec();
    private final List<VolumeId> volumes =
            IntStream.rangeClosed(1, DATANODES).mapToObj(VolumeId::new).toList();
    private Path directory;
    private KeyValueStore opened;
    private MetadataState state;
    private long files;
    private long requests;
    private List<byte[]> commands;

    @Setup
    public void open() throws IOException {
        directory = Files.createTempDirectory("ecfs-apply");
        opened = store.equals("memory")
                ? new MemoryStore()
                : new RocksStore(directory.resolve("store"), RocksSettings.DEFAULT);
        state = new MetadataState(opened);
        apply(codec.encode(new Command.Format(
                NOW, "bench", "root", Policy.parse("rs-6-3-1024k"), Optional.empty(), Optional.empty())));
        for (int i = 0; i < DATANODES; i++) {
            apply(codec.encode(new Command.RegisterDatanode(
                    NOW, new DatanodeId("dn" + i), "uuid" + i, new Address("host", 9000 + i), "/r", List.of("v" + i))));
        }
    }

    @TearDown
    public void close() throws IOException {
        opened.close();
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** New names for each batch; renames and deletions find their files made. */
    @Setup(Level.Iteration)
    public void encode() {
        long first = files;
        files += BATCH;
        List<byte[]> creates = batch(first, path -> new Create(request(), path, 0644, false, true, Optional.empty()));
        if (operation.equals("create")) {
            commands = creates;
            return;
        }
        creates.forEach(this::apply);
        commands = operation.equals("rename")
                ? batch(first, path -> new Rename(request(), path, new FilePath(path.text() + "-old"), false))
                : batch(first, path -> new Delete(request(), path, false));
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void apply() {
        commands.forEach(this::apply);
    }

    private void apply(byte[] command) {
        Position next = new Position(1, state.applied().index() + 1);
        byte[] answer = state.apply(next, List.of(command)).get(0);
        try {
            if (codec.applied(answer) instanceof CommandResult.Refused refused) {
                throw new IllegalStateException("entry " + next.index() + " is refused: " + refused.message());
            }
        } catch (EcfsException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<byte[]> batch(long first, Function<FilePath, Mutation> call) {
        return LongStream.range(first, first + BATCH)
                .mapToObj(file -> new FilePath("/bench/file-" + file))
                .map(path -> new Command.Call(NOW, ROOT, call.apply(path), volumes, Optional.empty()))
                .map(codec::encode)
                .toList();
    }

    private RequestId request() {
        return new RequestId("client", ++requests);
    }
}
