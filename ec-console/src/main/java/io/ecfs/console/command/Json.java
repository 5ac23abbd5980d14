package io.ecfs.console.command;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.PrintWriter;

/** Output for scripts. */
final class Json {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private Json() {}

    /** An empty object. */
    static ObjectNode node() {
        return JSON.createObjectNode();
    }

    /** A record as an object. */
    static ObjectNode node(Object record) {
        return JSON.valueToTree(record);
    }

    /** For what is too large to be held at once; closing it leaves {@code out} open. */
    static JsonGenerator generator(PrintWriter out) throws IOException {
        return JSON.createGenerator(out)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .useDefaultPrettyPrinter();
    }

    static void print(PrintWriter out, Object value) throws IOException {
        out.println(JSON.writeValueAsString(value));
        out.flush();
    }
}
