package io.ecfs.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers behind a proxy, bounds of one user, and who acts for another. */
@ExtendWith(WebHdfsTester.Started.class)
class WebHdfsSettingsTest {
    private static final String PUBLIC = "https://gw.example:8443/files";
    private static final String ME = "user.name=" + WebHdfsTester.SUPERUSER;

    private final WebHdfsTester web;

    WebHdfsSettingsTest(WebHdfsTester web) {
        this.web = web;
    }

    @Test
    void redirectsLeadToThePublicUrl() throws Exception {
        String path = web.directory("/public") + "/f";
        try (WebHdfsTester.Another server = web.another("publicUrl=" + PUBLIC)) {
            assertThat(server.send("PUT", path + "?op=CREATE&" + ME).headers().firstValue("Location"))
                    .contains(PUBLIC + "/webhdfs/v1" + path + "?op=CREATE&" + ME + "&data=true");
            assertThat(server.send("PUT", path + "?op=CREATE&data=true&" + ME)
                            .headers()
                            .firstValue("Location"))
                    .contains("swebhdfs://gw.example:8443" + path);
            assertThat(server.send("GET", path + "?op=OPEN&noredirect=true&" + ME)
                            .body())
                    .contains("\"" + PUBLIC + "/webhdfs/v1" + path);
        }
    }

    @Test
    void pagesOfThePublicUrlAreItsOwn() throws Exception {
        try (WebHdfsTester.Another server = web.another("publicUrl=" + PUBLIC)) {
            String query = "/?op=GETHOMEDIRECTORY&" + ME;
            assertThat(server.send("GET", query, "Origin", "https://gw.example:8443")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(server.send("GET", query, "Origin", "https://gw.example").statusCode())
                    .isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"gw.example", "ftp://gw.example", "https://gw.example/", "https://gw.example/?a=b", "https:///x"
            })
    void otherPublicUrlsAreRefused(String url) {
        assertThatThrownBy(() -> PublicUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("publicUrl must be https://host:port");
    }

    @Test
    void oneUserTakesNoMoreThanItsShare() throws Exception {
        String path = web.directory("/share") + "/f";
        try (WebHdfsTester.Another server = web.another("userTransfers=1");
                Socket upload = new Socket(
                        InetAddress.getLoopbackAddress(),
                        server.server().address().port())) {
            upload.getOutputStream()
                    .write(("PUT /webhdfs/v1" + path + "?op=CREATE&data=true&" + ME
                                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            await("the upload to begin")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !Await.result(web.client().list(new FilePath("/share"), "", 1))
                            .entries()
                            .isEmpty());
            HttpResponse<String> refused = server.send("GET", "/?op=GETHOMEDIRECTORY&" + ME);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body())
                    .contains(
                            "\"javaClassName\":\"org.apache.hadoop.ipc.RetriableException\"",
                            "1 requests of " + WebHdfsTester.SUPERUSER + " are under way");
            assertThat(server.send("GET", "/?op=GETHOMEDIRECTORY&user.name=hue&doas=" + WebHdfsTester.SUPERUSER)
                            .statusCode())
                    .as("by a proxy user")
                    .isEqualTo(503);
            assertThat(server.send("GET", "/?op=GETHOMEDIRECTORY&user.name=bob").statusCode())
                    .as("another user")
                    .isEqualTo(200);
        }
    }

    @Test
    void theAuditLogNamesWhoActsForAnother() throws Exception {
        String path = "/acted-by-hue";
        web.sendRaw(
                "PUT", "/webhdfs/v1" + path + "?op=MKDIRS&user.name=hue&doas=" + WebHdfsTester.SUPERUSER, new byte[0]);
        await("a line of the audit log")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(web.auditLines())
                        .anyMatch(line -> line.contains(
                                        "\tugi=" + WebHdfsTester.SUPERUSER + " (auth:PROXY) via hue (auth:SIMPLE)\t")
                                && line.contains("\tcallerContext=client webhdfs via:hue\t")
                                && line.contains("\tsrc=" + path + "\t")));
    }
}
