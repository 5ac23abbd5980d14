package io.ecfs.console.web.api;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.audit.AuditCsv;
import io.ecfs.console.view.audit.AuditQuery;
import io.ecfs.console.view.audit.ClusterAudit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The namenodes' audit logs, for operators: {@code ecfs admin audit}. They outlast restarts of the console. */
@RestController
@RequestMapping("/api/v1/audit")
final class AuditApi {
    /** Of an export; the command exports more. */
    private static final int MOST_ENTRIES = 10_000;

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
                AuditQuery.ask(client, after, find, Answers.limit(limit)).json());
    }

    /**
     * The latest entries as CSV (RFC 4180), with a line for each namenode that was not read. The header
     * {@code X-Ecfs-More} is true when older lines were left out.
     */
    @GetMapping("/changes.csv")
    ResponseEntity<byte[]> export(@RequestParam(defaultValue = "") String find) throws IOException {
        ClusterAudit latest = AuditQuery.latest(client, find, MOST_ENTRIES, MOST_PAGES);
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("text/csv;charset=utf-8"))
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"audit.csv\"")
                .header("X-Ecfs-More", Boolean.toString(latest.next().isPresent()))
                .body(AuditCsv.of(latest).getBytes(StandardCharsets.UTF_8));
    }
}
