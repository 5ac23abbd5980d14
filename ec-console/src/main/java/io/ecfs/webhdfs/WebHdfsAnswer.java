package io.ecfs.webhdfs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/** The answer to one request; sending it may take as long as a file's bytes do. */
@FunctionalInterface
interface WebHdfsAnswer {
    ObjectMapper JSON = new ObjectMapper();

    void send(HttpServletResponse response) throws IOException;

    /** 200 with a JSON document of one key. */
    static WebHdfsAnswer json(String key, Object value) {
        return json(Map.of(key, value));
    }

    /** 200 with a JSON document. */
    static WebHdfsAnswer json(Object document) {
        return response -> send(response, HttpServletResponse.SC_OK, document);
    }

    /** 200 without a body. */
    static WebHdfsAnswer done() {
        return status(HttpServletResponse.SC_OK);
    }

    static WebHdfsAnswer status(int status) {
        return response -> {
            response.setStatus(status);
            response.setContentLength(0);
        };
    }

    static void send(HttpServletResponse response, int status, Object document) throws IOException {
        byte[] bytes = bytes(document);
        response.setStatus(status);
        response.setContentType("application/json;charset=utf-8");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private static byte[] bytes(Object document) throws JsonProcessingException {
        return JSON.writeValueAsBytes(document);
    }
}
