package io.ecfs.console.web.api;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.openapi4j.parser.OpenApi3Parser;

class OpenApiDocumentTest {
    @Test
    void theDocumentIsValidOpenApi() {
        assertThatCode(() -> new OpenApi3Parser()
                        .parse(OpenApiDocumentTest.class.getResource("/io/ecfs/console/web/openapi.json"), true))
                .doesNotThrowAnyException();
    }
}
