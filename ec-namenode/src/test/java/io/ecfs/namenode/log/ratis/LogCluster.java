package io.ecfs.namenode.log.ratis;

import static org.awaitility.Awaitility.await;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.MetadataLog.LocalRead;
import io.ecfs.namenode.log.ratis.RaftMember.RaftTls;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/** A few namenode logs in this process, over {@link RegisterState}s on disk, on ports that were free. */
public final class LogCluster implements AutoCloseable {
    /** Generous: a busy machine elects in seconds. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A leader keeps leading when this machine stands still for a moment. */
    static final RaftTuning STEADY =
            ConfigReader.with(RaftTuning.standard(), List.of("electionTimeoutMin=2s", "electionTimeoutMax=3s"));

    public static final LogIdentity LOG = new LogIdentity("a cluster", new UUID(0x6563_6673L, 1));
    private final Path root;
    private final RaftTuning tuning;
    private final Map<String, Address> raft = new TreeMap<>();
    private final Map<String, Address> clients = new TreeMap<>();
    final Map<String, RatisLog> logs = new ConcurrentHashMap<>();
    final Map<String, RegisterState> states = new ConcurrentHashMap<>();
    final Map<String, Throwable> failures = new ConcurrentHashMap<>();
    /** Downloads begun, by the id of the one that asked. */
    final Map<String, Integer> downloads = new ConcurrentHashMap<>();

    /** What a request for a checkpoint waits for, given who asks and what. */
    volatile BiConsumer<String, SnapshotRequest> before = (id, request) -> {};

    private Optional<RaftTls> tls = Optional.empty();

    LogCluster(Path root, int namenodes, RaftTuning tuning) throws IOException {
        this.root = root;
        this.tuning = tuning;
        List<Integer> ports = FreePorts.find(namenodes);
        for (int i = 0; i < namenodes; i++) {
            raft.put("nn" + i, new Address("127.0.0.1", ports.get(i)));
            clients.put("nn" + i, new Address("client-side", i + 1));
        }
    }

    LogCluster with(RaftTls credentials) {
        tls = Optional.of(credentials);
        return this;
    }

    /** Formats the log on all namenodes and starts them. */
    LogCluster startAll() throws IOException {
        for (String id : raft.keySet()) {
            RatisLog.markFormatted(directory(id));
            start(id);
        }
        return this;
    }

    boolean joining(String id) {
        return Files.exists(directory(id).resolve("joining"));
    }

    Path directory(String id) {
        return root.resolve(id);
    }

    Path stateDirectory(String id) {
        return root.resolve(id + "-state");
    }

    RaftMember member(String id) {
        return new RaftMember(id, LOG, raft, directory(id), tls);
    }

    RatisLog start(String id) throws IOException {
        RegisterState state = new RegisterState(stateDirectory(id));
        states.put(id, state);
        RatisLog log = RatisLog.open(member(id), tuning, state, context(id));
        logs.put(id, log);
        return log;
    }

    LogContext context(String id) {
        return new LogContext(
                RealEnvironment.open(),
                other -> Optional.ofNullable(clients.get(other)),
                (from, request) -> ask(id, from, request),
                failure -> failures.put(id, failure));
    }

    private SnapshotSource.Answer ask(String id, String from, SnapshotRequest request) throws IOException {
        if (request instanceof SnapshotRequest.OpenSnapshot) {
            downloads.merge(id, 1, Integer::sum);
        }
        before.accept(id, request);
        RatisLog log = logs.get(from);
        if (log == null) {
            throw new EcfsException(ErrorCode.UNREACHABLE, "namenode " + from + " is down");
        }
        return log.snapshots().answer(request);
    }

    void stop(String id) {
        logs.remove(id).close();
    }

    /** The namenode that leads, once there is one. */
    String leader() {
        Optional<String> now = leading();
        return now.isPresent()
                ? now.get()
                : await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(20))
                        .until(this::leading, Optional::isPresent)
                        .orElseThrow();
    }

    private Optional<String> leading() {
        return logs.keySet().stream()
                .filter(id -> logs.get(id).leadership().leading())
                .findFirst();
    }

    List<String> followers() {
        String leader = leader();
        return raft.keySet().stream().filter(id -> !id.equals(leader)).toList();
    }

    /** Proposes until some leader answers, as a client does: the same command again after a failure. */
    long add(String client, long sequence, String name, long delta) {
        return RegisterState.value(persist(log -> log.propose(RegisterState.add(client, sequence, name, delta))));
    }

    long read(String name) {
        return persist(log -> log.read(readOf(name, log)));
    }

    private LocalRead<Long> readOf(String name, RatisLog log) {
        String id = logs.entrySet().stream()
                .filter(entry -> entry.getValue() == log)
                .findFirst()
                .orElseThrow()
                .getKey();
        return () -> states.get(id).get(name);
    }

    interface Call<T> {
        CompletableFuture<T> on(RatisLog log);
    }

    <T> T persist(Call<T> call) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Throwable last = null;
        while (System.nanoTime() < deadline) {
            RatisLog log = logs.get(leader());
            if (log == null) {
                continue;
            }
            try {
                return call.on(log).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                last = e.getCause();
                if (!(last instanceof EcfsException ours) || !ours.code().retryable()) {
                    throw new AssertionError("not to be retried", last);
                }
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError(e);
            }
        }
        throw new AssertionError("no answer within " + PATIENCE, last);
    }

    /** Waits until all running namenodes have applied the same and hold the same. */
    void awaitEqualStates() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            List<RegisterState> running =
                    logs.keySet().stream().map(states::get).toList();
            return running.stream().map(RegisterState::applied).distinct().count() == 1
                    && running.stream().map(RegisterState::stateHash).distinct().count() == 1;
        });
    }

    @Override
    public void close() {
        // Side by side: each waits about a second for its connections.
        CompletableFuture.allOf(logs.values().stream()
                        .map(log -> CompletableFuture.runAsync(log::close))
                        .toArray(CompletableFuture[]::new))
                .join();
        logs.clear();
    }
}
