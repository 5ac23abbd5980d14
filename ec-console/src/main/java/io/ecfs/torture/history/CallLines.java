package io.ecfs.torture.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.Map;

/** Calls as lines of JSON. Writer and reader stand side by side, since the keys are an interface. */
final class CallLines {
    private static final ObjectMapper JSON = new ObjectMapper();

    private CallLines() {}

    /** The line that is written before a call. */
    static String invoked(long number, int process, Operation operation, long nanos) {
        return JSON.createObjectNode()
                .put("number", number)
                .put("process", process)
                .put("call", operation.call())
                .<ObjectNode>set("arguments", JSON.valueToTree(operation))
                .put("invoke", nanos)
                .toString();
    }

    /** The line that is written after it. */
    static String returned(long number, Answer answer, long nanos) {
        return JSON.createObjectNode()
                .put("number", number)
                .put("return", nanos)
                .put("result", answer.result())
                .<ObjectNode>set("value", JSON.valueToTree(answer))
                .toString();
    }

    /** A whole call; one of unknown outcome has no return. */
    static String line(Call call) {
        ObjectNode line = JSON.createObjectNode()
                .put("process", call.process())
                .put("call", call.operation().call())
                .<ObjectNode>set("arguments", JSON.valueToTree(call.operation()))
                .put("invoke", call.invokeNanos());
        if (!call.unknown()) {
            line.put("return", call.returnNanos());
        }
        return line.put("result", call.answer().result())
                .<ObjectNode>set("value", JSON.valueToTree(call.answer()))
                .toString();
    }

    /** @throws EcfsException {@code MALFORMED} for a line of something else */
    static Call call(String line) throws EcfsException {
        JsonNode tree = tree(line);
        try {
            return new Call(
                    tree.required("process").intValue(),
                    operation(tree),
                    tree.required("invoke").longValue(),
                    tree.has("return") ? tree.get("return").longValue() : Call.NEVER,
                    answer(tree));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw malformed(line, e);
        }
    }

    static JsonNode tree(String line) throws EcfsException {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw malformed(line, e);
        }
    }

    static Operation operation(JsonNode tree) throws JsonProcessingException {
        return JSON.treeToValue(tree.required("arguments"), type(Operation.types(), tree.required("call")));
    }

    static Answer answer(JsonNode tree) throws JsonProcessingException {
        return JSON.treeToValue(tree.required("value"), type(Answer.types(), tree.required("result")));
    }

    static EcfsException malformed(String line, Exception cause) {
        return new EcfsException(
                ErrorCode.MALFORMED, "no line of a history: " + line.substring(0, Math.min(80, line.length())), cause);
    }

    private static <T> Class<? extends T> type(Map<String, Class<? extends T>> types, JsonNode name) {
        Class<? extends T> type = types.get(name.asText());
        if (type == null) {
            throw new IllegalArgumentException("unknown name " + name);
        }
        return type;
    }
}
