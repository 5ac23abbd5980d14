package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.namenode.log.ratis.RatisLog.ReadGuards;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader that is stopped (SIGSTOP) while the others elect another, and then wakes up (SIGCONT), believes for a moment
 * that it still leads. Reads that were asked after the new leader acknowledged writes lie in its input when it wakes:
 * none may show an older value.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
final class StaleReadTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration ENOUGH = Duration.ofSeconds(12);
    private static final int READS = 200;

    @TempDir
    Path root;

    @Test
    void aLeaderThatWakesUpNeverAnswersWithThePast() throws Exception {
        try (Processes processes = new Processes(root, ReadGuards.BOTH)) {
            long end = System.nanoTime() + ENOUGH.toNanos();
            int cycles = 0;
            do {
                assertThat(processes.staleReadsOfOneCycle())
                        .as("cycle %d", cycles)
                        .isEmpty();
                cycles++;
            } while (System.nanoTime() < end);
        }
    }

    /** Three namenode logs, each in its process. */
    private static final class Processes implements AutoCloseable {
        private final List<Peer> peers = new ArrayList<>();
        private long sequence;

        Processes(Path root, ReadGuards guards) throws IOException {
            List<Integer> ports = FreePorts.find(3);
            String addresses = IntStream.range(0, 3)
                    .mapToObj(i -> "nn" + i + "=127.0.0.1:" + ports.get(i))
                    .collect(Collectors.joining(","));
            for (int i = 0; i < 3; i++) {
                peers.add(new Peer(root, "nn" + i, addresses, guards));
            }
        }

        /** @return what was read that was older than what had been acknowledged */
        List<String> staleReadsOfOneCycle() throws Exception {
            Peer old = leaderAmong(peers);
            addAmong(peers);
            old.signal("STOP");
            List<Peer> others = peers.stream().filter(peer -> peer != old).toList();
            long acknowledged = addAmong(others);
            List<CompletableFuture<String>> reads = new ArrayList<>();
            for (int i = 0; i < READS; i++) {
                reads.add(old.call("read"));
            }
            old.signal("CONT");
            List<String> stale = new ArrayList<>();
            for (CompletableFuture<String> read : reads) {
                String answer = read.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                if (!answer.equals("failed") && Long.parseLong(answer) < acknowledged) {
                    stale.add(old.id + " read " + answer + " after " + acknowledged + " was acknowledged");
                }
            }
            return stale;
        }

        private static Peer leaderAmong(List<Peer> some) {
            return await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> leading(some), Optional::isPresent)
                    .orElseThrow();
        }

        private static Optional<Peer> leading(List<Peer> some) throws Exception {
            for (Peer peer : some) {
                if (peer.ask("role").filter("leading"::equals).isPresent()) {
                    return Optional.of(peer);
                }
            }
            return Optional.empty();
        }

        /** Adds one, repeating the same call until it is acknowledged. */
        private long addAmong(List<Peer> some) throws Exception {
            sequence++;
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (System.nanoTime() < deadline) {
                Optional<String> answer =
                        leaderAmong(some).ask("add " + sequence).filter(text -> !text.equals("failed"));
                if (answer.isPresent()) {
                    assertThat(Long.parseLong(answer.get())).isEqualTo(sequence);
                    return sequence;
                }
            }
            throw new AssertionError("no acknowledgement within " + PATIENCE);
        }

        @Override
        public void close() {
            peers.forEach(Peer::kill);
        }
    }

    private static final class Peer {
        final String id;
        private final Process process;
        private final Writer input;
        private final AtomicLong calls = new AtomicLong();
        private final Map<String, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();

        Peer(Path root, String id, String addresses, ReadGuards guards) throws IOException {
            this.id = id;
            this.process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LogProcess.class.getName(),
                            id,
                            root.resolve(id).toString(),
                            addresses,
                            Boolean.toString(guards.lease()),
                            Boolean.toString(guards.majority()))
                    .redirectError(root.resolve(id + ".log").toFile())
                    .start();
            this.input = process.outputWriter(StandardCharsets.UTF_8);
            Thread answers = new Thread(this::takeAnswers, "answers-of-" + id);
            answers.setDaemon(true);
            answers.start();
        }

        private void takeAnswers() {
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    int space = line.indexOf(' ');
                    CompletableFuture<String> call = waiting.remove(line.substring(0, space));
                    if (call != null) {
                        call.complete(line.substring(space + 1));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                waiting.values().forEach(call -> call.complete("failed"));
            }
        }

        CompletableFuture<String> call(String what) throws IOException {
            String number = Long.toString(calls.incrementAndGet());
            CompletableFuture<String> answer = new CompletableFuture<>();
            waiting.put(number, answer);
            input.write(number + " " + what + "\n");
            input.flush();
            return answer;
        }

        /** Asks and waits a while; a namenode that lost its majority may keep a call for some time. */
        Optional<String> ask(String what) throws Exception {
            try {
                return Optional.of(call(what).get(5, TimeUnit.SECONDS));
            } catch (TimeoutException e) {
                return Optional.empty();
            } catch (ExecutionException e) {
                throw new AssertionError(e);
            }
        }

        void signal(String name) throws Exception {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            assertThat(kill.waitFor()).isZero();
        }

        void kill() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
