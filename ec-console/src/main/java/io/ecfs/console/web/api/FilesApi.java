package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.ConversionRulesView;
import io.ecfs.console.view.FileLayout;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.PatchedFile;
import io.ecfs.console.view.Times;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
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

/** The namespace, and where the bytes of a file lie, for a viewer by the viewer's own rights. */
@RestController
@RequestMapping("/api/v1")
final class FilesApi {
    private static final int MOST_GROUPS = 64;

    private final ClientsByUser clients;

    FilesApi(ClientsByUser clients) {
        this.clients = clients;
    }

    /** A file, or a directory with its quota and a page of what is in it. */
    @GetMapping("/files")
    ResponseEntity<byte[]> files(
            @RequestParam(defaultValue = "/") String path,
            @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "200") int limit,
            HttpServletRequest request)
            throws IOException {
        EcfsClient client = clients.of(request);
        Answers.limit(limit);
        FilePath at = new FilePath(path);
        FileStatus status = Await.result(client.status(at));
        ObjectNode json = json(status);
        ArrayNode entries = json.putArray("entries");
        json.put("more", false);
        if (status.directory()) {
            NamespaceReply.Listing page = Await.result(client.list(at, after, limit));
            page.entries().forEach(entry -> entries.add(json(entry)));
            json.put("more", page.more());
            json.set("quota", Json.node(Await.result(client.quota(at))));
            json.set("rules", rules(client, at).map(Json::node).orElse(null));
        }
        return Answers.json(json);
    }

    /** Conversion rules that hold in a directory; empty from namenodes of an earlier release. */
    private static Optional<ConversionRulesView> rules(EcfsClient client, FilePath directory) throws IOException {
        try {
            return Optional.of(
                    ConversionRulesView.of(Await.result(client.admin().conversionRules(directory))));
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.UNSUPPORTED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * A page of {@code ecfs find}: names below a directory that match a pattern.
     *
     * @param after the {@code next} of the page before
     * @param examine most names to examine
     */
    @GetMapping("/find")
    ResponseEntity<byte[]> find(
            @RequestParam(defaultValue = "/") String path,
            @RequestParam String pattern,
            @RequestParam(defaultValue = "false") boolean anyCase,
            @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "5000") int examine,
            HttpServletRequest request)
            throws IOException {
        NamespaceReply.Found page = Await.result(clients.of(request)
                .find(
                        new FilePath(path),
                        pattern,
                        anyCase,
                        after.isEmpty() ? Optional.empty() : Optional.of(new FilePath(after)),
                        examine));
        ObjectNode json = Answers.list(
                "entries", page.entries().stream().map(FilesApi::json).toList());
        json.put("next", page.next().map(FilePath::text).orElse(null));
        json.put("examined", page.examined());
        json.put("denied", page.denied());
        return Answers.json(json);
    }

    /** The file that has bytes in a group; {@code ecfs admin group}. */
    @GetMapping("/groups/{id}")
    ResponseEntity<byte[]> group(@PathVariable String id, HttpServletRequest request) throws IOException {
        return Answers.record(Await.result(clients.of(request).admin().groupFiles(List.of(GroupId.parse(id))))
                .get(0));
    }

    /**
     * {@code ecfs admin layout --json} for a part of a file: from an offset on, at most so many groups; for a viewer
     * without the names of chunk files.
     */
    @GetMapping("/layout")
    ResponseEntity<byte[]> layout(
            @RequestParam String path,
            @RequestParam(defaultValue = "0") long from,
            @RequestParam(defaultValue = "16") int groups,
            HttpServletRequest request)
            throws IOException {
        if (groups < 1 || groups > MOST_GROUPS) {
            throw new IllegalArgumentException("groups must be in [1, " + MOST_GROUPS + "]: " + groups);
        }
        FileLayout layout =
                FileLayout.of(clients.of(request), new FilePath(path), Answers.number("from", from), groups);
        JsonNode json = Json.node(layout);
        if (!ClientsByUser.operator(request)) {
            json.findParents("file").forEach(chunk -> ((ObjectNode) chunk).put("file", ""));
        }
        return Answers.json(json);
    }

    /** {@code ecfs admin patches --json}: the groups of what was written over a file's extents. */
    @GetMapping("/patches")
    ResponseEntity<byte[]> patches(@RequestParam String path, HttpServletRequest request) throws IOException {
        return Answers.record(PatchedFile.of(clients.of(request), new FilePath(path)));
    }

    /** {@code ecfs admin explain --plan --json} for a part of some files; nothing is read. */
    @GetMapping("/explain")
    ResponseEntity<byte[]> explain(
            @RequestParam(defaultValue = "0") long from,
            @RequestParam(defaultValue = ReadToExplain.USUAL_BYTES) long length,
            HttpServletRequest request)
            throws IOException {
        // Not as a list: a name may have a comma.
        String[] paths = request.getParameterValues("path");
        return Answers.json(ReadToExplain.of(paths == null ? List.of() : List.of(paths), from, length)
                .explain(clients.of(request), false));
    }

    private static ObjectNode json(FileStatus status) {
        ObjectNode json = Json.node();
        json.put("path", status.path().text());
        json.put("name", status.path().name());
        json.put("directory", status.directory());
        json.put("length", status.length());
        json.put("open", status.open());
        json.put("mode", Integer.toOctalString(status.permissions()));
        json.put("owner", status.owner());
        json.put("group", status.group());
        json.put("modifiedAt", Times.iso(status.modifiedMillis()));
        json.put("policy", status.policy().name());
        json.put("encode", status.encoding().map(EncodingSide::text).orElse(null));
        json.put("packedUpTo", status.packedUpTo().orElse(null));
        return json;
    }
}
