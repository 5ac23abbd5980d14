package io.ecfs.console.web.api;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.ClusterAudit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The namenodes' audit logs, for operators: {@code ecfs admin audit}. They are in files, whoever restarts. */
@RestController
@RequestMapping("/api/v1/audit")
final class AuditApi {
    private static final int PAGE = 1000;
    /** Entries, bytes and pages of an export; the commands exports more. */
    private static final int MOST_ENTRIES = 10_000;

    private static final int MOST_CHARACTERS = 16 << 20;
    private static final int MOST_PAGES = 40;

    private final EcfsClient client;

    AuditApi(EcfsClient client) {
        this.client = client;
    }

    /**
     * A page, the latest first; it may be empty although more follow.
     *
     * @param after the {@code next} of the page before
     * @param find text that the lines contain
     */
    @GetMapping("/changes")
    ResponseEntity<byte[]> changes(
            @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "") String find,
            @RequestParam(defaultValue = "100") int limit)
            throws IOException {
        return Answers.json(
                ClusterAudit.ask(client, after, find, Answers.limit(limit)).json());
    }

    /** The latest entries as CSV (RFC 4180). */
    @GetMapping("/changes.csv")
    ResponseEntity<byte[]> export(@RequestParam(defaultValue = "") String find) throws IOException {
        StringBuilder csv = new StringBuilder(ClusterAudit.csvHead());
        Optional<String> after = Optional.of("");
        int entries = 0;
        for (int pages = 0; pages < MOST_PAGES && after.isPresent() && csv.length() < MOST_CHARACTERS; pages++) {
            if (entries == MOST_ENTRIES) {
                break;
            }
            ClusterAudit page = ClusterAudit.ask(client, after.get(), find, Math.min(PAGE, MOST_ENTRIES - entries));
            csv.append(page.csv());
            entries += page.entries().size();
            after = page.next();
        }
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("text/csv;charset=utf-8"))
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"audit.csv\"")
                .body(csv.toString().getBytes(StandardCharsets.UTF_8));
    }
}
