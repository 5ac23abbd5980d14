package io.ecfs.console.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.console.view.Json;
import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.ResponseEntity;

class OnRecordTest {
    @TempDir
    private Path directory;

    private AuditLog audit;
    private OnRecord deed;

    @BeforeEach
    void log() {
        audit = new AuditLog(directory, new ManualTime(1));
        deed = new OnRecord(audit, "olga", "10.0.0.1", "decommission", "dn3");
    }

    private List<String> outcomes() {
        return audit.latest().stream().map(line -> line.get("outcome").asText()).toList();
    }

    private static JsonNode fail(ErrorCode code) throws IOException {
        throw new EcfsException(code, "nobody answered");
    }

    @Test
    void aChangeWhoseStateCannotBeReadIsDoneAllTheSame() throws IOException {
        assertThat(deed.act(() -> 7)).isEqualTo(7);
        ResponseEntity<byte[]> answer = deed.readState(() -> fail(ErrorCode.TIMEOUT));
        assertThat(answer.getStatusCode().value()).isEqualTo(204);
        assertThat(answer.getBody()).isNull();
        assertThat(outcomes()).containsExactly("done", "asked");
    }

    @Test
    void theStateAfterAChangeIsTheAnswer() {
        ResponseEntity<byte[]> answer = deed.readState(() -> Json.node().put("state", "DECOMMISSIONING"));
        assertThat(answer.getStatusCode().value()).isEqualTo(200);
        assertThat(answer.getBody()).isEqualTo("{\"state\":\"DECOMMISSIONING\"}".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aChangeThatNobodyAnsweredMayBeMadeAndOneThatWasRefusedIsNot() {
        for (ErrorCode code : List.of(ErrorCode.CONNECTION_LOST, ErrorCode.TIMEOUT, ErrorCode.NOT_FOUND)) {
            assertThatThrownBy(() -> deed.act(() -> fail(code))).isInstanceOf(EcfsException.class);
        }
        assertThatThrownBy(() -> deed.act(() -> {
                    throw new IllegalArgumentException("no such duty");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(outcomes())
                .containsExactly(
                        "failed: no such duty",
                        "asked",
                        "failed: nobody answered",
                        "asked",
                        "unknown: nobody answered",
                        "asked",
                        "unknown: nobody answered",
                        "asked");
    }
}
