package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The body of a request that changes something: a small JSON object. What is malformed is an invalid argument. */
final class JsonBody {
    private static final int MOST_BYTES = 16 << 10;

    private JsonBody() {}

    static ObjectNode of(HttpServletRequest request) throws IOException {
        byte[] bytes = request.getInputStream().readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException("a request of more than " + MOST_BYTES + " bytes");
        }
        return Json.parse(bytes);
    }

    static String text(ObjectNode body, String name) {
        JsonNode value = body.get(name);
        if (value == null || !value.isTextual()) {
            throw new IllegalArgumentException("'" + name + "' must be given, as text");
        }
        return value.asText();
    }

    /** False where it is not named. */
    static boolean flag(ObjectNode body, String name) {
        JsonNode value = body.get(name);
        if (value != null && !value.isBoolean()) {
            throw new IllegalArgumentException("'" + name + "' must be true or false");
        }
        return value != null && value.asBoolean();
    }

    static List<String> texts(ObjectNode body, String name) {
        if (!(body.get(name) instanceof ArrayNode values)) {
            throw new IllegalArgumentException("'" + name + "' must be given, as a list of texts");
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode value : values) {
            if (!value.isTextual()) {
                throw new IllegalArgumentException("'" + name + "' must be a list of texts");
            }
            texts.add(value.asText());
        }
        return texts;
    }
}
