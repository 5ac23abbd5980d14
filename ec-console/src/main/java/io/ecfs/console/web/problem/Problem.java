package io.ecfs.console.web.problem;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.error.EcfsException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Why a request was not done.
 *
 * @param status of HTTP
 * @param code a word for programs: the cluster's error code, or the status' name
 * @param detail one line for people
 */
public record Problem(HttpStatus status, String code, String detail) {
    public static Problem of(HttpStatus status, String detail) {
        return new Problem(status, status.name(), detail);
    }

    /** The problem of an error of the cluster, with the matching HTTP status. */
    public static Problem of(EcfsException e) {
        String hint = e.hint().isEmpty() ? "" : " (" + e.hint().get() + ")";
        return new Problem(status(e), e.code().name(), e.getMessage() + hint);
    }

    private static HttpStatus status(EcfsException e) {
        return switch (e.code()) {
            case INVALID_ARGUMENT, PARENT_NOT_DIRECTORY, IS_A_DIRECTORY, NOT_A_DIRECTORY, UNSUPPORTED, MALFORMED ->
                HttpStatus.BAD_REQUEST;
            case NOT_FOUND -> HttpStatus.NOT_FOUND;
            case ACCESS_DENIED -> HttpStatus.FORBIDDEN;
            case ALREADY_EXISTS, NOT_EMPTY, LEASE_CONFLICT, QUOTA_EXCEEDED -> HttpStatus.CONFLICT;
            case INTERNAL, WRONG_CLUSTER, INCOMPATIBLE_VERSION -> HttpStatus.BAD_GATEWAY;
            default -> HttpStatus.SERVICE_UNAVAILABLE;
        };
    }

    public ResponseEntity<byte[]> entity() {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(bytes());
    }

    /** Answers with it, from outside the controllers. */
    public void write(HttpServletResponse response) throws IOException {
        byte[] body = bytes();
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private byte[] bytes() {
        ObjectNode json = Json.node();
        json.put("type", "about:blank");
        json.put("title", status.getReasonPhrase());
        json.put("status", status.value());
        json.put("code", code);
        json.put("detail", detail);
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }
}
