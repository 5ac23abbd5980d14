package io.ecfs.console.view;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.read.batch.Explanation;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalDouble;

/** Chunks that a read of several files requests, with their costs and results, for {@code ecfs admin explain}. */
public record ExplainedRead(Explanation explanation) {
    @JsonValue
    public ObjectNode json() {
        ObjectNode answer = Json.node();
        answer.put("origin", TextTable.words(explanation.origin()));
        answer.put("planCost", millis(explanation.planCost()));
        put(answer, "dataChunksCost", explanation.dataChunksCost());
        put(answer, "greedyCost", explanation.greedyCost());
        put(answer, "exactCost", explanation.exactCost());
        answer.put("predictedMillis", millis(explanation.predictedNanos()));
        answer.put("planningMillis", millis((double) explanation.planningNanos()));
        if (explanation.actualNanos().isPresent()) {
            answer.put("actualMillis", millis((double) explanation.actualNanos().getAsLong()));
        }
        answer.withArray("parts");
        for (Explanation.Part part : explanation.spans()) {
            ObjectNode node = answer.withArray("parts").addObject();
            node.put("path", part.path().toString());
            node.put("from", part.from());
            node.put("to", part.to());
            node.put("group", part.group().value());
            node.put("policy", part.policy().toString());
            node.put("planned", part.planned());
            node.put("decoded", part.decoded());
            for (Explanation.Chunk chunk : part.chunks()) {
                ObjectNode one = node.withArray("chunks").addObject();
                one.put("index", chunk.index());
                one.put("datanode", chunk.datanode().name());
                one.put("volume", chunk.volume().value());
                one.put("chosen", chunk.chosen());
                one.put("fate", TextTable.words(chunk.fate()));
                one.put("bytes", chunk.bytes());
                one.put("accessMillis", millis(chunk.accessNanos()));
                one.put("readMillis", millis(chunk.readNanos()));
                one.put("tookMillis", chunk.micros() / 1000.0);
            }
        }
        return answer;
    }

    public void print(PrintWriter out) {
        for (Explanation.Part part : explanation.spans()) {
            out.println(part.path() + "  bytes " + part.from() + " to " + part.to() + "  group " + part.group() + "  "
                    + part.policy() + (part.planned() ? "" : "  not planned") + (part.decoded() ? "  decoded" : ""));
            TextTable table =
                    new TextTable("  chunk", "datanode", "volume", "o_j ms", "m_j z ms", "chosen", "result", "ms");
            for (Explanation.Chunk chunk : part.chunks()) {
                table.row(
                        "  " + chunk.index(),
                        chunk.datanode(),
                        chunk.volume(),
                        shown(chunk.accessNanos()),
                        shown(chunk.readNanos()),
                        chunk.chosen() ? "*" : "",
                        result(chunk.fate()),
                        chunk.fate() == Explanation.Fate.NOT_ASKED ? "" : shown(chunk.micros() * 1e3));
            }
            out.print(table);
        }
        out.println("plan: " + TextTable.words(explanation.origin()) + ", made in "
                + shown((double) explanation.planningNanos()) + " ms; costs "
                + shown(explanation.planCost()) + " ms (data chunks " + shown(explanation.dataChunksCost())
                + ", greedy " + shown(explanation.greedyCost()) + ", exact " + shown(explanation.exactCost()) + ")");
        out.println("predicted " + shown(explanation.predictedNanos()) + " ms"
                + (explanation.actualNanos().isPresent()
                        ? ", took " + shown((double) explanation.actualNanos().getAsLong()) + " ms"
                        : ", not read"));
        out.flush();
    }

    private static String result(Explanation.Fate fate) {
        return switch (fate) {
            case NOT_ASKED -> "";
            case ANSWERED -> "answered";
            case ANSWERED_LATE -> "answered (late)";
            case CALLED_OFF -> "cancelled";
            case CALLED_OFF_LATE -> "cancelled (late)";
            case FAILED -> "failed";
        };
    }

    private static void put(ObjectNode node, String name, OptionalDouble nanos) {
        if (nanos.isPresent()) {
            node.put(name, millis(nanos.getAsDouble()));
        }
    }

    private static double millis(double nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }

    private static String shown(OptionalDouble nanos) {
        return nanos.isPresent() ? shown(nanos.getAsDouble()) : "none";
    }

    private static String shown(double nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / 1e6);
    }
}
