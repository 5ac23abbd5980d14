package io.ecfs.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WebHdfsAnswerTest {
    private static final int ENTRIES = 100_000;

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    private final HttpServletResponse response = (HttpServletResponse) Proxy.newProxyInstance(
            WebHdfsAnswerTest.class.getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (proxy, method, arguments) -> method.getName().equals("getOutputStream") ? new Sink() : null);

    private final class Sink extends ServletOutputStream {
        @Override
        public void write(int b) {
            sent.write(b);
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException("blocking only");
        }
    }

    @Test
    void aStreamedDocumentIsSentWhileItIsWritten() throws IOException {
        int[] most = {0};
        WebHdfsAnswer.streamed(json -> {
                    json.writeStartArray();
                    for (int i = 0; i < ENTRIES; i++) {
                        json.writePOJO("entry");
                        most[0] = Math.max(most[0], 8 * i - sent.size());
                    }
                    json.writeEndArray();
                })
                .send(response);
        assertThat(sent.size()).isEqualTo(8 * ENTRIES + 1);
        assertThat(most[0]).as("bytes that waited").isLessThan(64 << 10);
    }

    @Test
    void aDocumentThatBreaksOffStaysOpen() {
        WebHdfsAnswer answer = WebHdfsAnswer.streamed(json -> {
            json.writeStartArray();
            json.writePOJO("entry");
            json.flush();
            throw new IOException("no namenode");
        });
        assertThatThrownBy(() -> answer.send(response)).hasMessage("no namenode");
        assertThat(sent.toString(StandardCharsets.UTF_8)).isEqualTo("[\"entry\"");
    }
}
