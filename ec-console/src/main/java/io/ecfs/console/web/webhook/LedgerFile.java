package io.ecfs.console.web.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Health;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Severity;
import io.ecfs.env.real.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of one webhook on disk (docs/formats.md, "Webhooks of the console"), replaced as a whole. For one thread.
 */
final class LedgerFile {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerFile.class);

    private final Path file;

    LedgerFile(Path file) {
        this.file = file;
    }

    /** {@link Ledger#NONE} when there is no file, or none that can be read. */
    Ledger read() {
        try {
            ObjectNode json = Json.parse(Files.readAllBytes(file));
            Map<Long, Severity> open = new TreeMap<>();
            for (Map.Entry<String, JsonNode> one : json.path("open").properties()) {
                open.put(
                        Long.parseLong(one.getKey()),
                        Severity.valueOf(one.getValue().asText()));
            }
            return new Ledger(
                    json.path("cluster").asText(),
                    json.path("last").asLong(),
                    open,
                    Health.Level.valueOf(json.path("health").asText()));
        } catch (NoSuchFileException none) {
            return Ledger.NONE;
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("event=webhook_ledger_unreadable file={} reason=\"{}\"", file, e.getMessage());
            return Ledger.NONE;
        }
    }

    void write(Ledger ledger) throws IOException {
        ObjectNode json = Json.node();
        json.put("cluster", ledger.cluster());
        json.put("last", ledger.last());
        json.put("health", ledger.health().name());
        ObjectNode open = json.putObject("open");
        ledger.open().forEach((incident, severity) -> open.put(Long.toString(incident), severity.name()));
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try (FileChannel channel = FileChannel.open(fresh, options, PrivateFiles.fileMode(fresh))) {
            ByteBuffer bytes = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
