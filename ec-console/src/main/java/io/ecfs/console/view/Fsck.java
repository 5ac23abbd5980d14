package io.ecfs.console.view;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.FileProblem;
import io.ecfs.message.report.OrphanChunk;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * Files that are not healthy, unavailable ones first, then orphan chunks, then the number of files. Problems come from
 * the leader's index of degraded groups, at a cost in proportion to their number; the walk that counts files has one
 * page per level of the tree in memory.
 */
public final class Fsck {
    private static final int PAGE = NamespaceRequest.FindProblems.MAX_PAGE;
    /** Without {@code --orphans}. */
    private static final int ORPHANS_SHOWN = 10;

    private final EcfsClient client;
    private final FilePath top;
    private final boolean allOrphans;
    private long orphans;
    private boolean orphansKnown = true;
    private long problems;
    private long lost;
    private long files;

    /** @param allOrphans lists all orphan chunks instead of the first few */
    public Fsck(EcfsClient client, FilePath top, boolean allOrphans) {
        this.client = client;
        this.top = top;
        this.allOrphans = allOrphans;
    }

    /** @return true when all files are healthy */
    public boolean json(PrintWriter out) throws IOException {
        Await.result(client.status(top));
        try (JsonGenerator json = Json.generator(out)) {
            json.writeStartObject();
            json.writeArrayFieldStart("problems");
            eachProblem(problem -> json.writeTree(json(problem)));
            json.writeEndArray();
            json.writeArrayFieldStart("orphans");
            eachOrphan(chunk -> {
                if (shown()) {
                    json.writeTree(json(chunk));
                }
            });
            json.writeEndArray();
            json.writeNumberField("orphanChunks", orphans);
            json.writeBooleanField("orphansKnown", orphansKnown);
            files = count(top);
            json.writeNumberField("files", files);
            PackTotals packs = PackTotals.ask(client.admin());
            json.writeNumberField("packedGroups", packs.groups());
            json.writeNumberField("packedBytes", packs.bytes());
            json.writeNumberField("packedLiveBytes", packs.liveBytes());
            json.writeNumberField("packedSparseGroups", packs.sparse());
            json.writeNumberField("packedSparseDeadBytes", packs.sparseDeadBytes());
            json.writeNumberField("chunksNotOnDiskYet", unsynced());
            json.writeBooleanField("healthy", problems == 0);
            json.writeEndObject();
        }
        out.println();
        out.flush();
        return problems == 0;
    }

    /** @return true when all files are healthy */
    public boolean print(PrintWriter out) throws IOException {
        Await.result(client.status(top));
        eachProblem(problem -> {
            out.println(
                    (problem.lost() ? "UNAVAILABLE " : "DEGRADED    ") + problem.path() + "  group " + problem.group()
                            + "  " + problem.alive() + " chunks alive, " + problem.needed() + " needed to read");
            problem.lacking()
                    .forEach(chunk -> out.println("            chunk " + chunk.index()
                            + (chunk.place().isEmpty() ? "" : " on " + chunk.place()) + ": " + chunk.why()));
            out.println("            " + problem.doing());
            out.flush();
        });
        eachOrphan(chunk -> {
            if (shown()) {
                out.println("ORPHAN      chunk " + chunk.chunk() + " on " + chunk.volume()
                        + (chunk.datanode().isEmpty() ? "" : " of " + chunk.datanode()) + ", " + chunk.bytes()
                        + " bytes, stamp " + Integer.toHexString(chunk.stamp()) + ": " + chunk.why());
            }
        });
        files = count(top);
        if (orphans > 0) {
            out.println(orphans + " chunks on datanodes belong to no file and are retained"
                    + (allOrphans || orphans <= ORPHANS_SHOWN ? "" : "; --orphans lists them all"));
        }
        if (!orphansKnown) {
            out.println("not all chunks on datanodes are compared with the files yet");
        }
        out.println(
                problems == 0
                        ? "healthy: " + files + " files at and below " + top
                        : problems + " groups are not healthy, " + lost + " of them unavailable; " + files
                                + " files at and below " + top);
        PackTotals.ask(client.admin()).print(out);
        long unsynced = unsynced();
        if (unsynced > 0) {
            out.println(unsynced + " closed chunks of the cluster are not on disk yet");
        }
        out.flush();
        return problems == 0;
    }

    /** Chunks of the whole cluster: datanodes do not know paths. */
    private long unsynced() throws IOException {
        return Await.result(client.admin().report()).datanodes().stream()
                .mapToLong(ClusterReport.Datanode::unsyncedChunks)
                .sum();
    }

    private interface Visitor {
        void visit(FileProblem problem) throws IOException;
    }

    private void eachProblem(Visitor visitor) throws IOException {
        for (boolean ofLost : new boolean[] {true, false}) {
            long after = 0;
            do {
                NamespaceReply.Problems page = Await.result(client.admin().problems(top, ofLost, after, PAGE));
                for (FileProblem problem : page.problems()) {
                    problems++;
                    lost += problem.lost() ? 1 : 0;
                    visitor.visit(problem);
                }
                after = page.next();
            } while (after > 0);
        }
    }

    private interface OrphanVisitor {
        void visit(OrphanChunk chunk) throws IOException;
    }

    private void eachOrphan(OrphanVisitor visitor) throws IOException {
        Optional<NamespaceRequest.FindOrphans.Place> after = Optional.empty();
        do {
            NamespaceReply.Orphans page;
            try {
                page = Await.result(client.admin().orphans(after, PAGE));
            } catch (EcfsException e) {
                if (e.code() == ErrorCode.UNSUPPORTED) { // a namenode of an earlier release
                    orphansKnown = false;
                    return;
                }
                throw e;
            }
            for (OrphanChunk chunk : page.chunks()) {
                orphans++;
                visitor.visit(chunk);
            }
            orphansKnown &= page.complete();
            after = page.next();
        } while (after.isPresent());
    }

    private boolean shown() {
        return allOrphans || orphans <= ORPHANS_SHOWN;
    }

    private static ObjectNode json(OrphanChunk chunk) {
        ObjectNode json = Json.node();
        json.put("datanode", chunk.datanode());
        json.put("volume", chunk.volume().value());
        json.put("groupId", chunk.chunk().group().value());
        json.put("index", chunk.chunk().index());
        json.put("generation", chunk.chunk().generation());
        json.put("stamp", Integer.toHexString(chunk.stamp()));
        json.put("state", chunk.state().name());
        json.put("bytes", chunk.bytes());
        json.put("why", chunk.why());
        return json;
    }

    /** A file's group that is not healthy. */
    public static ObjectNode json(FileProblem problem) {
        ObjectNode json = Json.node();
        json.put("path", problem.path().text());
        json.put("groupId", problem.group().value());
        json.put("chunksAlive", problem.alive());
        json.put("chunksNeeded", problem.needed());
        json.put("doing", problem.doing());
        json.put("lost", problem.lost());
        ArrayNode lacking = json.putArray("lacking");
        for (FileProblem.LackingChunk chunk : problem.lacking()) {
            ObjectNode one = lacking.addObject();
            one.put("index", chunk.index());
            one.put("place", chunk.place());
            one.put("why", chunk.why());
        }
        return json;
    }

    /** Counts files; those that are deleted meanwhile are skipped. */
    private long count(FilePath path) throws IOException {
        long count = 0;
        String after = "";
        NamespaceReply.Listing page;
        do {
            try {
                page = Await.result(client.list(path, after, NamespaceRequest.ListStatus.MAX_PAGE));
            } catch (EcfsException e) {
                if (e.code() == ErrorCode.NOT_FOUND) {
                    return count;
                }
                throw e;
            }
            for (FileStatus entry : page.entries()) {
                count += entry.directory() ? count(entry.path()) : 1;
                after = entry.path().name();
            }
        } while (page.more() && !page.entries().isEmpty());
        return count;
    }
}
