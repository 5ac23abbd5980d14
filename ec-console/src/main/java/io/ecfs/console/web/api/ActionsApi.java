package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.config.Sizes;
import io.ecfs.console.view.EncodingChoice;
import io.ecfs.console.view.Json;
import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest.Balance.Wish;
import io.ecfs.message.namespace.NamespaceRequest.GetMoves;
import io.ecfs.message.namespace.NamespaceRequest.SetThrottles;
import io.ecfs.message.report.BalanceReport;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Actions of operators; the audit log has every attempt. A reply without content: the action is done, but the new state
 * could not be read.
 */
@RestController
@RequestMapping(path = "/api/v1", consumes = MediaType.APPLICATION_JSON_VALUE)
final class ActionsApi {
    /** Removes a bound; as the namenode takes it. */
    private static final long NO_QUOTA = -1;

    private static final String INHERIT = "inherit";

    private final ClientsByUser clients;
    private final AuditLog audit;

    ActionsApi(ClientsByUser clients, AuditLog audit) {
        this.clients = clients;
        this.audit = audit;
    }

    /**
     * {@code {"duty": "decommission" | "maintenance" | "recommission", "for": "2h"}}: answers with the datanode as it
     * is then.
     */
    @PostMapping("/datanodes/{id}/duty")
    ResponseEntity<byte[]> duty(@PathVariable String id, HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        String wanted = JsonBody.text(body, "duty");
        OnRecord deed = onRecord(request, wanted, id);
        deed.act(() -> {
            AdminState.State state = switch (wanted) {
                case "decommission" -> AdminState.State.DECOMMISSIONING;
                case "maintenance" -> AdminState.State.IN_MAINTENANCE;
                case "recommission" -> AdminState.State.IN_SERVICE;
                default ->
                    throw new IllegalArgumentException(
                            "duty must be decommission, maintenance or recommission, got '" + wanted + "'");
            };
            Optional<Duration> time =
                    body.hasNonNull("for") ? Optional.of(Sizes.duration(JsonBody.text(body, "for"))) : Optional.empty();
            return Await.result(client.admin().setDuty(new DatanodeId(id), state, time));
        });
        return deed.readState(() -> {
            ClusterReport report = Await.result(client.admin().report());
            return Json.node(report.datanodes().stream()
                    .filter(d -> d.id().name().equals(id))
                    .findFirst()
                    .orElseThrow(() -> new EcfsException(ErrorCode.NOT_FOUND, "no datanode " + id)));
        });
    }

    /** {@code {"wish": "begin" | "end", "thresholdPercent": 2.5}}: answers as {@code ecfs admin balance --json}. */
    @PostMapping("/balance")
    ResponseEntity<byte[]> balance(HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        String wish = JsonBody.text(body, "wish");
        BalanceReport report = onRecord(request, "balance " + wish, "").act(() -> {
            Wish wanted = switch (wish) {
                case "begin" -> Wish.BEGIN;
                case "end" -> Wish.END;
                default -> throw new IllegalArgumentException("wish must be begin or end, got '" + wish + "'");
            };
            return Await.result(client.admin().balance(wanted, permille(body)));
        });
        return Answers.record(report);
    }

    /** {@code {"wish": "pause" | "resume"}} for the mover of chunks: answers as {@code ecfs admin moves --json}. */
    @PostMapping("/moves")
    ResponseEntity<byte[]> moves(HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        String wish = JsonBody.text(JsonBody.of(request), "wish");
        OnRecord deed = onRecord(request, wish + " the mover", "");
        deed.act(() -> {
            if (!wish.equals("pause") && !wish.equals("resume")) {
                throw new IllegalArgumentException("wish must be pause or resume, got '" + wish + "'");
            }
            return Await.result(client.admin().pauseMover(wish.equals("pause")));
        });
        return deed.readState(() -> Json.node(Await.result(client.admin().moves(0, GetMoves.MAX_PAGE, false))));
    }

    /**
     * {@code {"path": "/cold", "policy": "rs-10-4-1024k", "encode": "master"}}, each or {@code "inherit"}, and without
     * {@code encode} that stays: answers with all as they are then.
     */
    @PostMapping("/policy")
    ResponseEntity<byte[]> policy(HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        String path = JsonBody.text(body, "path");
        String name = JsonBody.text(body, "policy");
        Optional<String> side = body.has("encode") ? Optional.of(JsonBody.text(body, "encode")) : Optional.empty();
        String action = "set policy " + name + side.map(to -> " encode " + to).orElse("");
        OnRecord deed = onRecord(request, action, path);
        deed.act(() -> {
            FilePath at = new FilePath(path);
            Optional<Policy> policy = name.equals(INHERIT) ? Optional.empty() : Optional.of(Policy.parse(name));
            return Await.result(
                    side.isPresent()
                            ? client.setEncodingAndPolicy(
                                    at, EncodingChoice.parse(side.get()).side(), policy)
                            : client.setPolicy(at, policy));
        });
        return deed.readState(() -> {
            FilePath at = new FilePath(path);
            FileStatus now = Await.result(client.status(at));
            ObjectNode json = Json.node();
            json.put("path", at.text());
            json.put("policy", now.policy().name());
            json.put("encode", now.encoding().map(EncodingSide::text).orElse(null));
            return json;
        });
    }

    /**
     * {@code {"path": "/projects", "names": 100000, "space": null}}: what is null is without a bound, what is not named
     * stays. Answers as {@code ecfs admin quota --json}.
     */
    @PostMapping("/quota")
    ResponseEntity<byte[]> quota(HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        String path = JsonBody.text(body, "path");
        OnRecord deed = onRecord(request, "set quota", body.toString());
        deed.act(() -> {
            Optional<Long> names = quota(body, "names");
            Optional<Long> space = quota(body, "space");
            if (names.isEmpty() && space.isEmpty()) {
                throw new IllegalArgumentException("name at least one of names, space");
            }
            return Await.result(client.setQuota(new FilePath(path), names, space));
        });
        return deed.readState(() -> Json.node(Await.result(client.quota(new FilePath(path)))));
    }

    private static Optional<Long> quota(ObjectNode body, String name) {
        JsonNode value = body.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value.isNull()) {
            return Optional.of(NO_QUOTA);
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 1) {
            throw new IllegalArgumentException("'" + name + "' must be a whole number above 0, or null for no bound");
        }
        return Optional.of(value.asLong());
    }

    /**
     * {@code {"repairsAtOnce": 20, "repairsPerDatanode": null, "repairBytesPerSecond": 52428800}}: what is null is as
     * configured again, what is not named stays. Answers as {@code ecfs admin throttle --json}.
     */
    @PostMapping("/throttles")
    ResponseEntity<byte[]> throttles(HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        OnRecord deed = onRecord(request, "throttle", body.toString());
        deed.act(() -> {
            Optional<Long> atOnce = throttle(body, "repairsAtOnce");
            Optional<Long> perDatanode = throttle(body, "repairsPerDatanode");
            Optional<Long> bytesPerSecond = throttle(body, "repairBytesPerSecond");
            if (atOnce.isEmpty() && perDatanode.isEmpty() && bytesPerSecond.isEmpty()) {
                throw new IllegalArgumentException(
                        "name at least one of repairsAtOnce, repairsPerDatanode, repairBytesPerSecond");
            }
            return Await.result(client.admin().setThrottles(atOnce, perDatanode, bytesPerSecond));
        });
        return deed.readState(() -> Json.node(Await.result(client.admin().throttles())));
    }

    private static Optional<Long> throttle(ObjectNode body, String name) {
        JsonNode value = body.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value.isNull()) {
            return Optional.of(SetThrottles.AS_CONFIGURED);
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 0) {
            throw new IllegalArgumentException("'" + name + "' must be a whole number, or null for as configured");
        }
        return Optional.of(value.asLong());
    }

    /**
     * {@code {"paths": ["/a"], "from": 0, "length": 1048576}}: reads, and answers as {@code ecfs admin explain --json}.
     */
    @PostMapping("/explain")
    ResponseEntity<byte[]> explain(HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        List<String> paths = new ArrayList<>();
        if (body.get("paths") instanceof ArrayNode named) {
            named.forEach(path -> paths.add(path.isTextual() ? path.asText() : ""));
        }
        JsonNode explained = onRecord(request, "explain", String.join(" ", paths))
                .act(() -> ReadToExplain.of(
                                paths,
                                number(body, "from", 0),
                                number(body, "length", Long.parseLong(ReadToExplain.USUAL_BYTES)))
                        .explain(client, true));
        return Answers.json(explained);
    }

    private static long number(ObjectNode body, String name, long otherwise) {
        JsonNode value = body.get(name);
        if (value != null && !(value.isIntegralNumber() && value.canConvertToLong())) {
            throw new IllegalArgumentException("'" + name + "' must be a whole number");
        }
        return value == null ? otherwise : value.asLong();
    }

    private OnRecord onRecord(HttpServletRequest request, String action, String target) {
        return new OnRecord(audit, request.getUserPrincipal().getName(), request.getRemoteAddr(), action, target);
    }

    private static int permille(ObjectNode body) {
        JsonNode percent = body.get("thresholdPercent");
        if (percent == null || percent.isNull()) {
            return 0;
        }
        if (!percent.isNumber() || !(percent.asDouble() > 0 && percent.asDouble() <= 100)) {
            throw new IllegalArgumentException("thresholdPercent must be a number in (0, 100]");
        }
        return (int) Math.max(1, Math.round(percent.asDouble() * 10));
    }
}
