package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.config.Sizes;
import io.ecfs.console.view.Json;
import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.message.namespace.NamespaceRequest.SetRing;
import io.ecfs.message.ring.RingState;
import io.ecfs.wire.Await;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Rings of volumes that take turns in writing. What a change would break follows from the counts of groups in a ring's
 * state, so that its preview needs no request.
 */
@RestController
@RequestMapping("/api/v1/rings")
final class RingsApi {
    private static final String AUTO = "auto";

    private final EcfsClient client;
    private final ClientsByUser clients;
    private final AuditLog audit;

    RingsApi(EcfsClient client, ClientsByUser clients, AuditLog audit) {
        this.client = client;
        this.clients = clients;
        this.audit = audit;
    }

    /**
     * {@code ecfs ring status --json} of each ring, as a list in an object; for viewers without the directories on the
     * datanodes' machines.
     */
    @GetMapping
    ResponseEntity<byte[]> rings(HttpServletRequest request) throws IOException {
        boolean operator = ClientsByUser.operator(request);
        return Answers.json(Answers.list(
                "rings",
                Await.result(client.admin().rings()).stream()
                        .map(ring -> operator ? Json.node(ring) : withoutDirectories(ring))
                        .toList()));
    }

    private static ObjectNode withoutDirectories(RingState ring) {
        ObjectNode json = Json.node(ring);
        json.get("volumes").forEach(volume -> ((ObjectNode) volume).putNull("directory"));
        return json;
    }

    /**
     * {@code {"writers": 2 | "auto", "period": "20s", "paused": true}}: what is not named stays. Answers as
     * {@code ecfs ring status NAME --json}.
     */
    @PostMapping(value = "/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> set(@PathVariable String id, HttpServletRequest request) throws IOException {
        EcfsClient own = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        OnRecord deed = new OnRecord(
                audit, request.getUserPrincipal().getName(), request.getRemoteAddr(), "change ring", id + " " + body);
        deed.act(() -> {
            Optional<Integer> writers = body.has("writers") ? Optional.of(writers(body)) : Optional.empty();
            Optional<Duration> period =
                    body.has("period") ? Optional.of(Sizes.duration(JsonBody.text(body, "period"))) : Optional.empty();
            Optional<Boolean> paused =
                    body.has("paused") ? Optional.of(JsonBody.flag(body, "paused")) : Optional.empty();
            if (writers.isEmpty() && period.isEmpty() && paused.isEmpty()) {
                throw new IllegalArgumentException("name at least one of writers, period, paused");
            }
            return Await.result(own.admin().setRing(id, writers, period, paused));
        });
        return deed.readState(
                () -> Json.node(RingState.named(Await.result(own.admin().rings()), id)));
    }

    private static int writers(ObjectNode body) {
        JsonNode value = body.get("writers");
        if (value.isTextual() && value.asText().equals(AUTO)) {
            return SetRing.AUTO;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.asInt() < 1) {
            throw new IllegalArgumentException("'writers' must be a whole number above 0, or \"" + AUTO + "\"");
        }
        return value.asInt();
    }
}
