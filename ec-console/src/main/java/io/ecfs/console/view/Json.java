package io.ecfs.console.view;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.PrintWriter;

/** Output for scripts. */
public final class Json {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /** An empty object. */
    public static ObjectNode node() {
        return JSON.createObjectNode();
    }

    /** A record as an object. */
    public static ObjectNode node(Object record) {
        return JSON.valueToTree(record);
    }

    /**
     * An object from outside.
     *
     * @throws IllegalArgumentException when it is none, has a key twice, or goes on behind its end
     */
    public static ObjectNode parse(byte[] text) throws IOException {
        try {
            if (STRICT.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "malformed JSON: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
        throw new IllegalArgumentException("a JSON object is wanted");
    }

    /** Generator for output that is too large for memory; closing it leaves {@code out} open. */
    public static JsonGenerator generator(PrintWriter out) throws IOException {
        return JSON.createGenerator(out)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .useDefaultPrettyPrinter();
    }

    public static void print(PrintWriter out, Object value) throws IOException {
        out.println(JSON.writeValueAsString(value));
        out.flush();
    }
}
