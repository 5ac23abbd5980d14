package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Answers of the API, and what all of its pages have in common. */
final class Answers {
    static final int MOST = 1000;

    private Answers() {}

    static ResponseEntity<byte[]> json(JsonNode json) {
        return text(json.toString());
    }

    static ResponseEntity<byte[]> text(String json) {
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(json.getBytes(StandardCharsets.UTF_8));
    }

    /** A record as the commands print it. */
    static ResponseEntity<byte[]> record(Object record) {
        return json(Json.node(record));
    }

    /** {@code {"name": […]}}. */
    static ObjectNode list(String name, Collection<? extends JsonNode> items) {
        ObjectNode json = Json.node();
        ArrayNode array = json.putArray(name);
        items.forEach(array::add);
        return json;
    }

    /** @throws IllegalArgumentException for a page above the limit */
    static int limit(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be in [1, " + MOST + "]: " + limit);
        }
        return limit;
    }

    static long positive(String name, long number) {
        if (number < 1) {
            throw new IllegalArgumentException(name + " must be at least 1: " + number);
        }
        return number;
    }

    static long number(String name, long number) {
        if (number < 0) {
            throw new IllegalArgumentException(name + " must not be negative: " + number);
        }
        return number;
    }
}
