package io.ecfs.console.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The OpenAPI document by itself; {@code ConsoleApiTest} compares it with the answers. */
class OpenApiTest {
    private static JsonNode document;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream file = OpenApiTest.class.getResourceAsStream("/io/ecfs/console/web/openapi.json")) {
            document = new ObjectMapper().readTree(file);
        }
    }

    private static List<JsonNode> operations() {
        List<JsonNode> operations = new ArrayList<>();
        document.get("paths").forEach(path -> path.forEach(operations::add));
        return operations;
    }

    /** OpenAPI 3.0 takes no empty list there. */
    @Test
    void noListOfRequiredFieldsIsEmpty() {
        assertThat(document.findValues("required").stream().filter(JsonNode::isArray))
                .isNotEmpty()
                .noneMatch(JsonNode::isEmpty);
    }

    @Test
    void everyOperationHasAnIdOfItsOwn() {
        assertThat(operations())
                .extracting(operation -> operation.path("operationId").asText())
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("[a-z][A-Za-z]+"));
    }

    @Test
    void everyJsonAnswerNamesItsFields() {
        for (JsonNode operation : operations()) {
            JsonNode json = operation.at("/responses/200/content/application~1json/schema");
            assertThat(json.isMissingNode() || json.has("properties") || json.has("$ref"))
                    .as(operation.path("operationId").asText())
                    .isTrue();
        }
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        assertThat(document.findValuesAsText("$ref"))
                .isNotEmpty()
                .allMatch(target -> !document.at(target.substring(1)).isMissingNode());
    }
}
