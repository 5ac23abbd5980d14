package io.ecfs.bench.bed;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Recorded requests: a line of text for each, the name and the bytes of every block that is read
 * together, all separated by tabs. Lines that begin with # and empty ones are no requests.
 */
public final class AccessTrace {
    static final int MOST_BLOCK_BYTES = 1 << 30;

    private final String name;
    private final int[] blockBytes;
    private final int[][] requests;

    private AccessTrace(String name, int[] blockBytes, int[][] requests) {
        this.name = name;
        this.blockBytes = blockBytes;
        this.requests = requests;
    }

    /** @throws IllegalArgumentException when it is no such file; names the line */
    public static AccessTrace read(Path file) throws IOException {
        Reading reading = new Reading();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                try {
                    reading.take(line);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(file + ", line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        if (reading.requests.isEmpty()) {
            throw new IllegalArgumentException(
                    file + " has no request: each is a line of names and bytes, separated by tabs");
        }
        return new AccessTrace(
                file.getFileName().toString(),
                reading.bytes.stream().mapToInt(Integer::intValue).toArray(),
                reading.requests.toArray(int[][]::new));
    }

    /** Of its file. */
    String name() {
        return name;
    }

    /** Different blocks in all. */
    public int blocks() {
        return blockBytes.length;
    }

    /** Its requests one after the other, and when it ends from the beginning. For one thread. */
    Requests replayed() {
        return new Replay();
    }

    private static final class Reading {
        final List<Integer> bytes = new ArrayList<>();
        final List<int[]> requests = new ArrayList<>();
        private final Map<String, Integer> blockOf = new HashMap<>();

        void take(String line) {
            if (line.isBlank() || line.startsWith("#")) {
                return;
            }
            String[] words = line.split("\t", -1);
            if (words.length % 2 != 0) {
                throw new IllegalArgumentException(
                        "a name without bytes: names and bytes take turns, separated by tabs");
            }
            List<Integer> blocks = new ArrayList<>();
            for (int i = 0; i < words.length; i += 2) {
                blocks.add(block(words[i], bytes(words[i + 1])));
            }
            requests.add(blocks.stream().distinct().mapToInt(Integer::intValue).toArray());
        }

        private int block(String name, int size) {
            Integer known = blockOf.putIfAbsent(name, bytes.size());
            if (known == null) {
                bytes.add(size);
                return bytes.size() - 1;
            }
            if (bytes.get(known) != size) {
                throw new IllegalArgumentException(
                        name + " has " + size + " bytes, and " + bytes.get(known) + " in an earlier line");
            }
            return known;
        }

        private static int bytes(String word) {
            long bytes;
            try {
                bytes = Long.parseLong(word.strip());
            } catch (NumberFormatException e) {
                throw noBytes(word, e);
            }
            if (bytes < Configuration.DATA_CHUNKS || bytes > MOST_BLOCK_BYTES) {
                throw noBytes(word, null);
            }
            return (int) bytes;
        }

        private static IllegalArgumentException noBytes(String word, NumberFormatException cause) {
            return new IllegalArgumentException(
                    "bytes are from " + Configuration.DATA_CHUNKS + " to " + MOST_BLOCK_BYTES + ", not \"" + word
                            + "\"",
                    cause);
        }
    }

    private final class Replay implements Requests {
        private int next;

        @Override
        public int[] blockBytes() {
            return blockBytes;
        }

        @Override
        public int[] next(SplittableRandom random) {
            int[] request = requests[next];
            next = (next + 1) % requests.length;
            return request;
        }

        /** A trace has the skew that it has. */
        @Override
        public void skew() {}
    }
}
