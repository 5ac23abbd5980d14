package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.ResponseEntity;

/**
 * One thing that an operator asks for: the wish is on record before anything is done, what became of it before the
 * answer.
 *
 * @param user who asks
 * @param from the address of the browser
 * @param action a word or two for the record
 * @param target what it is done to; empty for none
 */
record OnRecord(AuditLog audit, String user, String from, String action, String target) {
    private static final Logger LOG = LoggerFactory.getLogger(OnRecord.class);

    interface Step<T> {
        T run() throws IOException;
    }

    /** Logs the request, then executes it; a request that cannot be logged is not executed. */
    <T> T act(Step<T> change) throws IOException {
        write("asked");
        T done;
        try {
            done = change.run();
        } catch (IOException | RuntimeException e) {
            write((mayBeDone(e) ? "unknown: " : "failed: ") + e.getMessage());
            throw e;
        }
        write("done");
        return done;
    }

    /**
     * Answers with how it is after the change, or with nothing when that cannot be read: the change is made all the
     * same.
     */
    ResponseEntity<byte[]> readState(Step<JsonNode> state) {
        try {
            return Answers.json(state.run());
        } catch (IOException e) {
            LOG.info("event=state_unread action=\"{}\" target=\"{}\" reason=\"{}\"", action, target, e.toString());
            return ResponseEntity.noContent().build();
        }
    }

    /**
     * True when the change may have been made without an acknowledgement: the namenode may have failed between.
     */
    private static boolean mayBeDone(Exception failure) {
        if (failure instanceof EcfsException e) {
            return switch (e.code()) {
                case TIMEOUT, CONNECTION_LOST, UNREACHABLE, NOT_LEADER -> true;
                default -> false;
            };
        }
        return failure instanceof IOException;
    }

    private void write(String outcome) {
        audit.add(new AuditLog.Entry(user, from, action, target, outcome));
    }
}
