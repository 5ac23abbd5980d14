package io.ecfs.env.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.Address;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StatusServerTest {
    @Test
    void whoSendsHalfARequestNeitherSilencesTheOthersNorStays() throws Exception {
        try (StatusServer server = StatusServer.start(
                "status", new Address("127.0.0.1", 0), () -> new StatusServer.Health(true, "well"), List::of)) {
            List<Socket> halves = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    Socket half = new Socket(
                            InetAddress.getLoopbackAddress(), server.address().port());
                    halves.add(half);
                    half.setSoTimeout(20_000); // a read notices no interrupt
                    half.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
                }
                assertThat(health(server)).startsWith("HTTP/1.1 200").endsWith("well\n");
                for (Socket half : halves) {
                    assertThat(half.getInputStream().read()).as("disconnected").isEqualTo(-1);
                }
            } finally {
                for (Socket half : halves) {
                    half.close();
                }
            }
        }
    }

    private static String health(StatusServer server) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
            socket.setSoTimeout(3_000);
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
