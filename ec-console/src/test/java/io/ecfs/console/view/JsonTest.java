package io.ecfs.console.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {
    private record Sample(String name, Optional<Long> some, Optional<Long> none, List<Integer> numbers) {}

    private static ObjectNode parse(String text) throws IOException {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aRecordIsAnObjectOfItsComponents() throws IOException {
        assertThat(Json.node(new Sample("a", Optional.of(5L), Optional.empty(), List.of(1, 2))))
                .isEqualTo(parse("{\"name\":\"a\",\"some\":5,\"none\":null,\"numbers\":[1,2]}")
                        .put("some", 5L));
    }

    @Test
    void onlyAnObjectIsParsed() throws IOException {
        assertThat(parse("{\"a\": \"é\"}").get("a").textValue()).isEqualTo("é");
        for (String other : List.of("[]", "1", "\"a\"", "null", "", " ")) {
            assertThatThrownBy(() -> parse(other)).hasMessage("a JSON object is wanted");
        }
    }

    @Test
    void malformedTextIsRefusedInOneLine() {
        for (String text : List.of("{", "{\"a\":1} 2", "{\"a\":1}{", "{\"a\":1,\"a\":2}", "{a:1}", "{\"a\":\n\n}")) {
            assertThatThrownBy(() -> parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("malformed JSON: ")
                    .message()
                    .doesNotContain("\n");
        }
    }

    @Test
    void printingEndsWithALineEnd() throws IOException {
        StringWriter out = new StringWriter();
        Json.print(new PrintWriter(out), Json.node().put("a", 1));
        assertThat(out.toString()).isEqualTo("{" + nl() + "  \"a\" : 1" + nl() + "}" + nl());
    }

    @Test
    void aGeneratorLeavesItsTargetOpen() throws IOException {
        boolean[] closed = {false};
        StringWriter out = new StringWriter() {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        try (JsonGenerator json = Json.generator(new PrintWriter(out))) {
            json.writeStartObject();
            json.writeEndObject();
        }
        assertThat(closed[0]).isFalse();
    }

    private static String nl() {
        return System.lineSeparator();
    }
}
