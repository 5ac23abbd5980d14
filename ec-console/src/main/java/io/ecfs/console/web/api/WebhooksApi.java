package io.ecfs.console.web.api;

import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.console.web.webhook.Webhooks;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The webhooks of this console, for operators. */
@RestController
@RequestMapping("/api/v1/webhooks")
final class WebhooksApi {
    private final Webhooks webhooks;
    private final AuditLog audit;

    WebhooksApi(Webhooks webhooks, AuditLog audit) {
        this.webhooks = webhooks;
        this.audit = audit;
    }

    /** State of the deliveries of each. */
    @GetMapping
    ResponseEntity<byte[]> list() {
        return Answers.json(Answers.list("webhooks", webhooks.json()));
    }

    /** Sends a test message to one and waits for its reply. */
    @PostMapping(value = "/{id}/test", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> test(@PathVariable String id, HttpServletRequest request) throws IOException {
        OnRecord deed =
                new OnRecord(audit, request.getUserPrincipal().getName(), request.getRemoteAddr(), "test webhook", id);
        return Answers.json(deed.act(() -> webhooks.test(id)));
    }
}
