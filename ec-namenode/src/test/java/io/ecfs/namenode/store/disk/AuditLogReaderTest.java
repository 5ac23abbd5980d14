package io.ecfs.namenode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.NamespaceReply.AuditLines;
import io.ecfs.message.namespace.NamespaceRequest.ListAudit;
import io.ecfs.message.report.AuditPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audit logs are read backwards, page by page, over their rotations. */
class AuditLogReaderTest {
    @TempDir
    private Path directory;

    private Path file;
    private AuditLogReader reader;

    @BeforeEach
    void begin() {
        file = directory.resolve("audit.log");
        reader = new AuditLogReader(file, 3);
    }

    private void write(int from, int to) throws IOException {
        try (AuditLogFile log = new AuditLogFile(file, 30, 3)) {
            for (int i = from; i < to; i++) {
                log.write("line " + i + "\n");
            }
        }
    }

    private AuditLines page(Optional<AuditPlace> before, String text, int limit) throws EcfsException {
        return reader.page(new ListAudit(before, text, limit));
    }

    private List<String> rest(Optional<AuditPlace> from, String text, int limit) throws EcfsException {
        List<String> all = new ArrayList<>();
        Optional<AuditPlace> before = from;
        do {
            AuditLines page = page(before, text, limit);
            page.lines().forEach(line -> all.add(line.text()));
            before = page.next();
        } while (before.isPresent());
        return all;
    }

    @Test
    void pagesHaveAllLinesOfAllFilesTheLatestFirst() throws IOException {
        write(0, 15);
        for (int limit : List.of(1, 2, 4, 5, 100)) {
            assertThat(rest(Optional.empty(), "", limit))
                    .hasSize(15)
                    .startsWith("line 14", "line 13")
                    .endsWith("line 0");
        }
    }

    @Test
    void onlyLinesWithTheTextAreInAPage() throws IOException {
        write(0, 15);
        assertThat(rest(Optional.empty(), "NE 1", 2))
                .containsExactly("line 14", "line 13", "line 12", "line 11", "line 10", "line 1");
    }

    @Test
    void aRotationBetweenTwoPagesMovesNothing() throws IOException {
        write(0, 8);
        AuditLines first = page(Optional.empty(), "", 2);
        write(8, 12);
        assertThat(rest(first.next(), "", 2)).startsWith("line 5", "line 4").endsWith("line 0");
    }

    @Test
    void aLineThatIsBeingWrittenIsLeftOut() throws IOException {
        write(0, 2);
        Files.writeString(file, "torn", StandardOpenOption.APPEND);
        assertThat(rest(Optional.empty(), "", 10)).containsExactly("line 1", "line 0");
    }

    @Test
    void aPageEndsAfterABoundedNumberOfBytes() throws IOException {
        String line = "x".repeat(1000) + "\n";
        Files.writeString(file, "first\n" + line.repeat(10_000));
        AuditLines page = page(Optional.empty(), "first", 10);
        assertThat(page.lines()).isEmpty();
        assertThat(page.next()).isPresent();
        assertThat(rest(page.next(), "first", 10)).containsExactly("first");
    }
}
