package io.ecfs.namenode.log.ratis;

import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ratis.RatisLog.ReadGuards;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * One namenode log in a process of its own, over a {@link RegisterState}. Takes lines {@code CALL role},
 * {@code CALL add SEQUENCE}, {@code CALL read} on its input and answers each by a line {@code CALL ANSWER}; ends with
 * its input.
 */
final class LogProcess {
    private LogProcess() {}

    /** Arguments: id, directory, {@code id=host:port,…}, {@code lease}, {@code majority} as booleans. */
    public static void main(String[] arguments) throws IOException {
        // What logs or libraries print must not mix with the answers.
        PrintStream answers = System.out;
        System.setOut(System.err);
        String id = arguments[0];
        Path directory = Path.of(arguments[1]);
        Map<String, Address> peers = new TreeMap<>();
        for (String peer : arguments[2].split(",", -1)) {
            List<String> pair = List.of(peer.split("=", -1));
            peers.put(pair.get(0), Address.parse(pair.get(1)));
        }
        if (!Files.exists(directory.resolve("log"))) {
            RatisLog.markFormatted(directory.resolve("log"));
        }
        RegisterState state = new RegisterState(directory.resolve("state"));
        try (RatisLog log = RatisLog.open(
                new RaftMember(
                        id,
                        new LogIdentity("a cluster", new UUID(1, 2)),
                        peers,
                        directory.resolve("log"),
                        Optional.empty()),
                RaftTuning.standard(),
                state,
                new LogContext(
                        RealEnvironment.open(),
                        other -> Optional.empty(),
                        (from, request) -> {
                            throw new EcfsException(ErrorCode.UNREACHABLE, "no checkpoints in this test");
                        },
                        failure -> System.exit(1)),
                new ReadGuards(Boolean.parseBoolean(arguments[3]), Boolean.parseBoolean(arguments[4])))) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<String> words = List.of(line.split(" ", -1));
                answer(log, state, words)
                        .handle((answer, failed) -> failed == null ? answer : "failed")
                        .thenAccept(answer -> answers.println(words.get(0) + " " + answer))
                        .exceptionally(bug -> null);
            }
        }
        System.exit(0);
    }

    private static CompletableFuture<String> answer(RatisLog log, RegisterState state, List<String> words) {
        return switch (words.get(1)) {
            case "role" -> CompletableFuture.completedFuture(log.leadership().leading() ? "leading" : "following");
            case "add" ->
                log.propose(RegisterState.add("client", Long.parseLong(words.get(2)), "a", 1))
                        .thenApply(answer -> new String(answer, StandardCharsets.UTF_8));
            case "read" -> log.read(() -> Long.toString(state.get("a")));
            default -> CompletableFuture.failedFuture(new IllegalArgumentException(words.get(1)));
        };
    }
}
