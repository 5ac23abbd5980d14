package io.ecfs.fault.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventClassTest {
    private static final Pattern EVENT = Pattern.compile("event=([a-z_]+)");
    /** The second argument of a state machine: it logs the event at each step. */
    private static final Pattern STATE = Pattern.compile("new StateMachine<>\\(\\s*LOG,\\s*\"([a-z_]+)\"");

    private static Set<String> namesInSources() throws IOException {
        Set<String> names = new TreeSet<>();
        Path root = Path.of("..").toAbsolutePath().normalize();
        for (String module :
                Set.of("ec-common", "ec-native", "ec-namenode", "ec-datanode", "ec-client", "ec-console")) {
            try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    String text = Files.readString(file);
                    for (Pattern pattern : Set.of(EVENT, STATE)) {
                        Matcher matcher = pattern.matcher(text);
                        while (matcher.find()) {
                            names.add(matcher.group(1));
                        }
                    }
                }
            }
        }
        return names;
    }

    @Test
    void everyEventInTheSourcesHasAClassAndNoOtherHas() throws IOException {
        assertThat(EventClass.all().keySet()).containsExactlyElementsOf(namesInSources());
    }

    @Test
    void onlyLinesWithAClassLeaveALog(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("dn1.log"), """
                2026-11-28T17:00:00.500 INFO  i.e.d.S event=volume_failed path=/v
                2026-11-28T17:00:00.600 INFO  i.e.d.S event=wire_loops name=ecfs
                2026-11-28T17:00:01.000 ERROR i.e.d.S event=chunk_rebuilt chunk=g1.0
                    at io.ecfs.Nowhere
                2026-11-28T17:59:00.000 INFO  i.e.d.S event=chunk_rebuilt chunk=g2.0
                """);
        LoggedEvent failed = LoggedEvent.parse(
                        "dn1", "2026-11-28T17:00:00.500 INFO  i.e.d.S event=volume_failed path=/v")
                .orElseThrow();
        assertThat(failed.kind()).isEqualTo(EventClass.DETECT);
        assertThat(failed.text()).isEqualTo("event=volume_failed path=/v");
        DaemonLogs logs = DaemonLogs.read(directory, failed.millis(), failed.millis() + 60_000);
        assertThat(logs.events()).extracting(LoggedEvent::name).containsExactly("volume_failed", "chunk_rebuilt");
        assertThat(logs.counts()).containsEntry(EventClass.DONE, 1L).containsEntry(EventClass.DETECT, 1L);
        assertThat(DaemonLogs.read(directory.resolve("none"), 0, 1).events()).isEmpty();
    }
}
