package io.ecfs.webhdfs;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/** The answer to one request; sending it may take as long as a file's bytes do. */
@FunctionalInterface
interface WebHdfsAnswer {
    ObjectMapper JSON = new ObjectMapper();
    String TYPE = "application/json;charset=utf-8";

    void send(HttpServletResponse response) throws IOException;

    /** 200 with a JSON document of one key. */
    static WebHdfsAnswer json(String key, Object value) {
        return json(Map.of(key, value));
    }

    /** 200 with a JSON document. */
    static WebHdfsAnswer json(Object document) {
        return response -> send(response, HttpServletResponse.SC_OK, document);
    }

    /** Writes a document as its parts are found. */
    @FunctionalInterface
    interface Document {
        void write(JsonGenerator json) throws IOException;
    }

    /** 200 with a document that is never in memory as a whole. One that breaks off is not closed. */
    static WebHdfsAnswer streamed(Document document) {
        return response -> {
            response.setStatus(HttpServletResponse.SC_OK);
            response.setContentType(TYPE);
            // Not closed after a failure, which would complete the document and hide that it has only a part.
            JsonGenerator json = JSON.getFactory().createGenerator(response.getOutputStream());
            document.write(json);
            json.flush();
        };
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
        response.setContentType(TYPE);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private static byte[] bytes(Object document) throws JsonProcessingException {
        return JSON.writeValueAsBytes(document);
    }
}
