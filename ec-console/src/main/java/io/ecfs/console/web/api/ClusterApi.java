package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.CodeUse;
import io.ecfs.console.view.CodecView;
import io.ecfs.console.view.Fsck;
import io.ecfs.console.view.HotReads;
import io.ecfs.console.view.IncidentFiles;
import io.ecfs.console.view.IncidentJson;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.PolicyView;
import io.ecfs.console.view.SafeToStop;
import io.ecfs.console.web.history.History;
import io.ecfs.console.web.live.EventTail;
import io.ecfs.console.web.live.Watch;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.Balance.Wish;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Incident;
import io.ecfs.wire.Await;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The cluster as a whole, which both roles see. It is asked as the console's own user, but for what names files. What
 * has the namenode compute ({@code safe-to-stop}, {@code usage}, the mover's plan) is for operators.
 */
@RestController
@RequestMapping("/api/v1")
final class ClusterApi {
    private static final int MOST_DATANODES = 50;

    private final EcfsClient client;
    private final ClientsByUser clients;
    private final Watch watch;

    @GuardedBy("this")
    private Optional<CodecView> codec = Optional.empty();

    ClusterApi(EcfsClient client, ClientsByUser clients, Watch watch) {
        this.client = client;
        this.clients = clients;
        this.watch = watch;
    }

    /** {@code ecfs admin report --json}; for viewers without the directories on the datanodes' machines. */
    @GetMapping("/report")
    ResponseEntity<byte[]> report(HttpServletRequest request) throws IOException {
        ClusterReport report = Await.result(client.admin().report());
        return Answers.json(ClientsByUser.operator(request) ? Json.node(report) : Watch.withoutDirectories(report));
    }

    /** The latest view of the cluster, as the stream has it. */
    @GetMapping("/view")
    ResponseEntity<byte[]> view() {
        return Answers.text(watch.view().json());
    }

    /** One verdict on the cluster as of the latest poll, with its reasons. */
    @GetMapping("/health")
    ResponseEntity<byte[]> health() {
        return Answers.record(watch.view().health());
    }

    /**
     * A page of {@code ecfs admin fsck --json}: files that who asks could list.
     *
     * @param urgent the one page of those that can be repaired and press most
     */
    @GetMapping("/problems")
    ResponseEntity<byte[]> problems(
            @RequestParam(defaultValue = "/") String path,
            @RequestParam(defaultValue = "false") boolean lost,
            @RequestParam(defaultValue = "false") boolean urgent,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "100") int limit,
            HttpServletRequest request)
            throws IOException {
        EcfsClient asking = clients.of(request);
        FilePath below = new FilePath(path);
        Answers.number("after", after);
        Answers.limit(limit);
        NamespaceReply.Problems page = Await.result(
                urgent
                        ? asking.admin().urgentProblems(below, limit)
                        : asking.admin().problems(below, lost, after, limit));
        ObjectNode json = Answers.list(
                "problems", page.problems().stream().map(Fsck::json).toList());
        json.put("next", page.next());
        return Answers.json(json);
    }

    /** A page of {@code ecfs admin timeline --json}, without the chunks. */
    @GetMapping("/incidents")
    ResponseEntity<byte[]> incidents(
            @RequestParam(defaultValue = "0") long after, @RequestParam(defaultValue = "1000") int limit)
            throws IOException {
        List<Incident> page = Await.result(
                        client.admin().incidents(Answers.number("after", after), Answers.limit(limit)))
                .incidents();
        return Answers.json(
                Answers.list("incidents", page.stream().map(IncidentJson::node).toList()));
    }

    @GetMapping("/incidents/{id}")
    ResponseEntity<byte[]> incident(@PathVariable long id) throws IOException {
        return Answers.json(IncidentJson.node(find(id)));
    }

    /** The phases from the last heartbeat, where it is known, until all was healed. */
    @GetMapping("/incidents/{id}/phases")
    ResponseEntity<byte[]> phases(@PathVariable long id) throws IOException {
        Incident incident = find(id);
        return Answers.json(IncidentPhases.json(
                incident,
                watch.view().report().flatMap(report -> IncidentPhases.lastHeartbeat(report, incident)),
                incident.healedMillis().isPresent() && !incident.cause().planned()
                        ? IncidentPhases.repairs(client, incident)
                        : Optional.empty()));
    }

    private Incident find(long id) throws IOException {
        Answers.positive("the number of an incident", id);
        return Await.result(client.admin().incidents(id - 1, 1)).incidents().stream()
                .filter(incident -> incident.id() == id)
                .findFirst()
                .orElseThrow(() -> new EcfsException(ErrorCode.NOT_FOUND, "the history has no incident " + id));
    }

    /** A page of the chunks of an incident: the {@code groups} of {@code ecfs admin timeline ID --json}. */
    @GetMapping("/incidents/{id}/chunks")
    ResponseEntity<byte[]> chunks(
            @PathVariable long id,
            @RequestParam(defaultValue = "0") long afterGroup,
            @RequestParam(defaultValue = "0") int afterIndex,
            @RequestParam(defaultValue = "500") int limit)
            throws IOException {
        Answers.positive("the number of an incident", id);
        Answers.number("afterGroup", afterGroup);
        Answers.number("afterIndex", afterIndex);
        return Answers.json(Answers.list(
                "groups",
                Await.result(client.admin().repairs(id, afterGroup, afterIndex, Answers.limit(limit)))
                        .repairs()
                        .stream()
                        .map(IncidentJson::chunk)
                        .toList()));
    }

    /** {@code ecfs admin timeline ID --files --json}: files of the incident that who asks could list. */
    @GetMapping("/incidents/{id}/files")
    ResponseEntity<byte[]> files(@PathVariable long id, HttpServletRequest request) throws IOException {
        Answers.positive("the number of an incident", id);
        return Answers.json(IncidentFiles.ask(client, clients.of(request), id).json());
    }

    /** A page of {@code ecfs admin events --json}; for viewers without the paths of directories. */
    @GetMapping("/events")
    ResponseEntity<byte[]> events(
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "500") int limit,
            HttpServletRequest request)
            throws IOException {
        boolean operator = ClientsByUser.operator(request);
        return Answers.json(Answers.list(
                "events",
                Await.result(client.admin().events(Answers.number("after", after), Answers.limit(limit)))
                        .events()
                        .stream()
                        .map(event -> EventTail.json(event, operator))
                        .toList()));
    }

    /** The latest events, oldest first. */
    @GetMapping("/events/latest")
    ResponseEntity<byte[]> latestEvents(@RequestParam(defaultValue = "500") int limit, HttpServletRequest request) {
        return Answers.json(
                Answers.list("events", watch.events().latest(Answers.limit(limit), ClientsByUser.operator(request))));
    }

    /** {@code ecfs admin balance --dry-run --json}. */
    @GetMapping("/balance")
    ResponseEntity<byte[]> balance() throws IOException {
        return Answers.record(Await.result(client.admin().balance(Wish.LOOK, 0)));
    }

    /** {@code ecfs admin loads --json}. */
    @GetMapping("/loads")
    ResponseEntity<byte[]> loads() throws IOException {
        return Answers.record(Await.result(client.admin().loads()));
    }

    /** {@code ecfs admin loads DATANODE --json}, for operators: which groups on a datanode are read most, by whom. */
    @GetMapping("/datanodes/{id}/reads")
    ResponseEntity<byte[]> reads(@PathVariable String id, HttpServletRequest request) throws IOException {
        return Answers.json(
                HotReads.ask(clients.of(request), new DatanodeId(id)).json());
    }

    /** {@code ecfs admin moves --json}; the plan, which the namenode computes, is for operators. */
    @GetMapping("/moves")
    ResponseEntity<byte[]> moves(
            @RequestParam(defaultValue = "false") boolean plan,
            @RequestParam(defaultValue = "1000") int limit,
            HttpServletRequest request)
            throws IOException {
        if (plan && !ClientsByUser.operator(request)) {
            throw new EcfsException(ErrorCode.ACCESS_DENIED, "a plan of the mover needs the role operator");
        }
        return Answers.record(Await.result(client.admin().moves(0, Answers.limit(limit), plan)));
    }

    /** {@code ecfs admin safe-to-stop --json}. */
    @GetMapping("/safe-to-stop")
    ResponseEntity<byte[]> safeToStop(
            @RequestParam List<String> datanode, @RequestParam(defaultValue = "false") boolean readable)
            throws IOException {
        if (datanode.isEmpty() || datanode.size() > MOST_DATANODES) {
            throw new IllegalArgumentException("name 1 to " + MOST_DATANODES + " datanodes, not " + datanode.size());
        }
        List<DatanodeId> ids = datanode.stream().map(DatanodeId::new).toList();
        return Answers.json(SafeToStop.ask(client, ids, readable).json());
    }

    /** {@code ecfs ec list --json} as a list in an object. */
    @GetMapping("/policies")
    ResponseEntity<byte[]> policies() throws IOException {
        NamespaceReply.Policies policies = Await.result(client.policies());
        return Answers.json(Answers.list(
                "policies",
                policies.policies().stream()
                        .map(policy -> Json.node(PolicyView.of(policy, policies.defaultPolicy())))
                        .toList()));
    }

    /** {@code ecfs admin throttle --json}. */
    @GetMapping("/throttles")
    ResponseEntity<byte[]> throttles() throws IOException {
        return Answers.record(Await.result(client.admin().throttles()));
    }

    /** {@code ecfs ec usage --json}. */
    @GetMapping("/usage")
    ResponseEntity<byte[]> usage() throws IOException {
        return Answers.record(CodeUse.ask(client));
    }

    /** The codec kernels of this machine, as {@code ecfs version} lists them. */
    @GetMapping("/codec")
    synchronized ResponseEntity<byte[]> codec() {
        if (codec.isEmpty()) {
            codec = Optional.of(CodecView.ofThisProcess());
        }
        return Answers.record(codec.get());
    }

    /**
     * Samples for the charts, also from before the start of this console, as far as they are retained.
     *
     * @param range {@code hour}, {@code day} or {@code week}
     * @param prefix only series whose name begins with one of these; all when there is none
     */
    @GetMapping("/history")
    ResponseEntity<byte[]> history(
            @RequestParam(defaultValue = "hour") String range,
            @RequestParam(defaultValue = "") List<String> prefix,
            @RequestParam(defaultValue = "300") int points) {
        return Answers.json(watch.history().json(History.Range.parse(range), prefix, Answers.limit(points)));
    }
}
