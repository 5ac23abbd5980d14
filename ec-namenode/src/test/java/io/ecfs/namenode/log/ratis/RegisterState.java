package io.ecfs.namenode.log.ratis;

import io.ecfs.namenode.log.ReplicatedState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real little replicated state: named counters in a file. A command {@code client sequence name delta} adds and
 * answers the new value; the same client and sequence again answers the same and adds nothing.
 */
final class RegisterState implements ReplicatedState {
    private final Path file;
    private final TreeMap<String, String> facts = new TreeMap<>();
    /** Entries and commands that this object applied, not counting those that were on disk when it was opened. */
    final AtomicInteger entries = new AtomicInteger();

    final AtomicInteger commands = new AtomicInteger();
    /** A name whose mention makes apply throw: a bug or a broken disk on this namenode alone. */
    volatile String poison = "";

    private volatile Position applied = new Position(0, -1);

    RegisterState(Path directory) {
        this.file = directory.resolve("registers");
        try {
            Files.createDirectories(directory);
            if (Files.exists(file)) {
                load(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] add(String client, long sequence, String name, long delta) {
        return (client + " " + sequence + " " + name + " " + delta).getBytes(StandardCharsets.UTF_8);
    }

    static long value(byte[] answer) {
        return Long.parseLong(new String(answer, StandardCharsets.UTF_8));
    }

    synchronized long get(String name) {
        return Long.parseLong(facts.getOrDefault("value " + name, "0"));
    }

    @Override
    public synchronized List<byte[]> apply(Position position, List<byte[]> batch) {
        entries.incrementAndGet();
        List<byte[]> answers = new ArrayList<>();
        for (byte[] command : batch) {
            commands.incrementAndGet();
            answers.add(apply(new String(command, StandardCharsets.UTF_8).split(" ", -1))
                    .getBytes(StandardCharsets.UTF_8));
        }
        applied = position;
        save(file);
        return answers;
    }

    private String apply(String[] command) {
        if (command[2].equals(poison)) {
            throw new IllegalStateException("poisoned by " + poison);
        }
        String[] last = facts.getOrDefault("last " + command[0], "-1 0").split(" ", -1);
        if (Long.parseLong(last[0]) >= Long.parseLong(command[1])) {
            return last[1];
        }
        String value = Long.toString(get(command[2]) + Long.parseLong(command[3]));
        facts.put("value " + command[2], value);
        facts.put("last " + command[0], command[1] + " " + value);
        return value;
    }

    @Override
    public synchronized void skip(Position position) {
        applied = position;
        save(file);
    }

    @Override
    public Position applied() {
        return applied;
    }

    @Override
    public synchronized Position checkpoint(Path directory) {
        try {
            Files.createDirectories(directory.resolve("below"));
            save(directory.resolve("below").resolve("registers"));
            Files.write(directory.resolve("padding"), new byte[1_200_000]);
            Files.createFile(directory.resolve("empty"));
            return applied;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void install(Path directory) {
        try {
            facts.clear();
            load(directory.resolve("below").resolve("registers"));
            save(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized long stateHash() {
        return facts.hashCode();
    }

    private void load(Path from) throws IOException {
        for (String line : Files.readAllLines(from)) {
            String[] pair = line.split("=", -1);
            if (pair[0].equals("applied")) {
                String[] position = pair[1].split(" ", -1);
                applied = new Position(Long.parseLong(position[0]), Long.parseLong(position[1]));
            } else {
                facts.put(pair[0], pair[1]);
            }
        }
    }

    private void save(Path to) {
        StringBuilder lines = new StringBuilder();
        lines.append("applied=")
                .append(applied.term())
                .append(' ')
                .append(applied.index())
                .append('\n');
        facts.forEach(
                (name, value) -> lines.append(name).append('=').append(value).append('\n'));
        try {
            Path unfinished = to.resolveSibling("unfinished");
            Files.writeString(unfinished, lines);
            Files.move(unfinished, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
