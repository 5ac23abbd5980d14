package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.console.web.live.EventStream;
import io.ecfs.console.web.problem.Problem;
import io.ecfs.console.web.security.AccessRules;
import io.ecfs.console.web.security.SessionAge;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.env.Clock;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.InputStream;
import java.security.Principal;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The session, the audit log, the description of this API, and the live stream. */
@RestController
@RequestMapping("/api/v1")
final class SessionApi {
    private final AuditLog audit;
    private final EventStream stream;
    private final Clock clock;

    SessionApi(AuditLog audit, EventStream stream, Clock clock) {
        this.audit = audit;
        this.stream = stream;
        this.clock = clock;
    }

    /** The session's user, and the CSRF token for changes. */
    @GetMapping("/session")
    ResponseEntity<byte[]> session(HttpServletRequest request, CsrfToken token) {
        Principal who = request.getUserPrincipal();
        ObjectNode json = Json.node();
        json.put("user", who == null ? null : who.getName());
        json.put("role", who == null ? null : request.isUserInRole("OPERATOR") ? "operator" : "viewer");
        ObjectNode csrf = json.putObject("csrf");
        csrf.put("header", token.getHeaderName());
        csrf.put("token", token.getToken());
        json.put("login", AccessRules.SESSION);
        json.put("logout", AccessRules.END);
        return Answers.json(json);
    }

    /** The latest actions and rejected requests, newest first. */
    @GetMapping("/audit")
    ResponseEntity<byte[]> audit() {
        ObjectNode json = Answers.list("entries", audit.latest());
        json.setAll(Answers.list("refused", audit.latestRefused()));
        return Answers.json(json);
    }

    @GetMapping("/openapi.json")
    ResponseEntity<byte[]> openApi() throws IOException {
        try (InputStream document = SessionApi.class.getResourceAsStream("/io/ecfs/console/web/openapi.json")) {
            return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(document.readAllBytes());
        }
    }

    /** Server-sent events until the browser has gone or the session is over. */
    @GetMapping("/live")
    void live(
            @RequestParam(defaultValue = "-1") long afterEvent,
            @RequestHeader(name = "Last-Event-ID", defaultValue = "-1") long lastEvent,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        response.setContentType("text/event-stream;charset=UTF-8");
        response.setHeader("X-Accel-Buffering", "no");
        if (request.getMethod().equals("HEAD")) {
            return;
        }
        HttpSession session = request.getSession(false);
        if (!stream.enter()) {
            Problem.of(HttpStatus.TOO_MANY_REQUESTS, "too many browsers watch: this one has to ask again and again")
                    .write(response);
            return;
        }
        try {
            stream.send(
                    response.getOutputStream(),
                    Math.max(afterEvent, lastEvent),
                    ClientsByUser.operator(request),
                    () -> SessionAge.valid(session, clock));
        } catch (InterruptedException stopping) {
            // The console stops, and with it the stream.
            Thread.currentThread().interrupt();
        } finally {
            stream.leave();
        }
    }
}
