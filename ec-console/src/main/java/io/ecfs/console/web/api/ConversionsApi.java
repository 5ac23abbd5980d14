package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.ConversionRulesView;
import io.ecfs.console.view.ConversionView;
import io.ecfs.console.view.Json;
import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.console.web.live.PackSums;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.ControlConversion.Control;
import io.ecfs.wire.Await;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Rewriting of files: conversions, rules of directories, and what cleaning of packs would free. A viewer sees the
 * conversions that the viewer's own name asked for; their changes are for operators, as the sums over packs.
 */
@RestController
@RequestMapping("/api/v1")
final class ConversionsApi {
    private final ClientsByUser clients;
    private final AuditLog audit;
    private final PackSums packs;

    ConversionsApi(ClientsByUser clients, AuditLog audit, PackSums packs) {
        this.clients = clients;
        this.audit = audit;
        this.packs = packs;
    }

    /** Sums over packs, computed again once they are old; see {@link PackSums}. */
    @GetMapping("/packs")
    ResponseEntity<byte[]> packs() throws InterruptedException {
        return Answers.json(packs.json());
    }

    /** {@code ecfs ec conversions --json} as a list in an object. */
    @GetMapping("/conversions")
    ResponseEntity<byte[]> conversions(HttpServletRequest request) throws IOException {
        return Answers.json(Answers.list(
                "conversions",
                ConversionView.all(clients.of(request).admin()).stream()
                        .map(Json::node)
                        .toList()));
    }

    /** {@code {"path": "/cold", "policy": "rs-10-4-1024k", "dryRun": true}}: answers with the conversion. */
    @PostMapping(value = "/conversions", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> convert(HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        String path = JsonBody.text(body, "path");
        String policy = JsonBody.text(body, "policy");
        boolean dryRun = JsonBody.flag(body, "dryRun");
        OnRecord deed = onRecord(request, (dryRun ? "plan to convert to " : "convert to ") + policy, path);
        long job =
                deed.act(() -> Await.result(client.admin().convert(new FilePath(path), Policy.parse(policy), dryRun)));
        return deed.readState(() -> Json.node(ConversionView.find(client.admin(), job)));
    }

    /** {@code {"wish": "pause" | "resume" | "cancel"}}: answers with the conversion as it is then. */
    @PostMapping(value = "/conversions/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> control(@PathVariable long id, HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        String wish = JsonBody.text(JsonBody.of(request), "wish");
        OnRecord deed = onRecord(request, wish + " conversion", Long.toString(id));
        deed.act(() -> {
            Answers.positive("the number of a conversion", id);
            Control wanted = switch (wish) {
                case "pause" -> Control.PAUSE;
                case "resume" -> Control.RESUME;
                case "cancel" -> Control.CANCEL;
                default ->
                    throw new IllegalArgumentException("wish must be pause, resume or cancel, got '" + wish + "'");
            };
            return Await.result(client.admin().control(id, wanted));
        });
        return deed.readState(() -> Json.node(ConversionView.find(client.admin(), id)));
    }

    /**
     * {@code {"path": "/logs", "rules": ["30d=rs-10-4-1024k"]}}; without rules those of the directory above hold.
     * Answers as {@code ecfs ec rule --json}.
     */
    @PostMapping(value = "/rules", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> rules(HttpServletRequest request) throws IOException {
        EcfsClient client = clients.of(request);
        ObjectNode body = JsonBody.of(request);
        String path = JsonBody.text(body, "path");
        List<String> rules = JsonBody.texts(body, "rules");
        OnRecord deed = onRecord(request, "set conversion rules", path + " " + String.join(" ", rules));
        deed.act(() ->
                Await.result(client.admin().setConversionRules(new FilePath(path), ConversionRulesView.parse(rules))));
        return deed.readState(() ->
                Json.node(ConversionRulesView.of(Await.result(client.admin().conversionRules(new FilePath(path))))));
    }

    private OnRecord onRecord(HttpServletRequest request, String action, String target) {
        return new OnRecord(audit, request.getUserPrincipal().getName(), request.getRemoteAddr(), action, target);
    }
}
