package io.ecfs.console.web.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.ecfs.env.real.PrivateFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Samples of one resolution on disk (docs/formats.md, "History of the console"): lines of JSON, an array of names
 * before the values that follow in that order. With {@code most} samples the file takes the name {@code ….1}, in
 * place of the one before, so at least the latest {@code most} are on disk. A line that cannot be read, as one
 * that a crash cut off, is skipped. For one thread.
 */
final class SampleFile {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final int most;
    private List<String> names = List.of();
    private int written;
    private boolean torn;

    SampleFile(Path file, int most) {
        this.file = file;
        this.most = most;
    }

    /** Visits the samples on disk, the oldest first, with their times in milliseconds since the epoch. */
    void read(BiConsumer<Long, Map<String, Double>> visitor) throws IOException {
        read(rotated(), visitor);
        written = read(file, visitor);
        torn = Files.exists(file) && !endsWithNewline();
    }

    private Path rotated() {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    /** Returns the number of samples. */
    private static int read(Path from, BiConsumer<Long, Map<String, Double>> visitor) throws IOException {
        if (!Files.exists(from)) {
            return 0;
        }
        int samples = 0;
        List<String> names = List.of();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(from), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode row = row(line);
                if (row.isEmpty()) {
                    continue;
                }
                if (row.get(0).isTextual()) {
                    names = names(row);
                } else if (row.get(0).isIntegralNumber() && row.size() == names.size() + 1) {
                    visitor.accept(row.get(0).asLong(), values(names, row));
                    samples++;
                }
            }
        }
        return samples;
    }

    /** An empty array for what is none. */
    private static JsonNode row(String line) {
        try {
            JsonNode row = JSON.readTree(line);
            return row != null && row.isArray() ? row : JSON.createArrayNode();
        } catch (IOException e) {
            return JSON.createArrayNode();
        }
    }

    private static List<String> names(JsonNode row) {
        List<String> names = new ArrayList<>();
        row.forEach(name -> names.add(name.asText()));
        return names;
    }

    private static Map<String, Double> values(List<String> names, JsonNode row) {
        Map<String, Double> values = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            if (row.get(i + 1).isNumber()) {
                values.put(names.get(i), row.get(i + 1).asDouble());
            }
        }
        return values;
    }

    void append(long atMillis, Map<String, Double> values) throws IOException {
        if (written >= most && Files.exists(file)) {
            Files.move(file, rotated(), StandardCopyOption.REPLACE_EXISTING);
        }
        StringBuilder lines = new StringBuilder();
        if (!Files.exists(file)) { // also when somebody removed it
            written = 0;
            names = List.of();
        } else if (torn) {
            lines.append('\n');
        }
        List<String> now = List.copyOf(new TreeMap<>(values).keySet());
        if (!now.equals(names)) {
            ArrayNode row = JSON.createArrayNode();
            now.forEach(row::add);
            lines.append(row).append('\n');
        }
        ArrayNode row = JSON.createArrayNode().add(atMillis);
        for (String name : now) {
            double value = values.get(name);
            if (Double.isFinite(value)) {
                row.add((float) value);
            } else {
                row.addNull();
            }
        }
        write(lines.append(row).append('\n').toString());
        names = now;
        written++;
    }

    private void write(String lines) throws IOException {
        torn = true; // until all of it is written
        try (SeekableByteChannel channel = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), PrivateFiles.fileMode(file))) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(lines);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        torn = false;
    }

    private boolean endsWithNewline() throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file, StandardOpenOption.READ)) {
            if (channel.size() == 0) {
                return true;
            }
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) == '\n';
        }
    }
}
