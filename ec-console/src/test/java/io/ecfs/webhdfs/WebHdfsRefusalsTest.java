package io.ecfs.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is refused, with HDFS's status and document, and uploads that break off. */
@ExtendWith(WebHdfsTester.Started.class)
class WebHdfsRefusalsTest {
    private final WebHdfsTester web;

    WebHdfsRefusalsTest(WebHdfsTester web) {
        this.web = web;
    }

    private JsonNode refused(int status, HttpResponse<byte[]> answer) throws Exception {
        assertThat(answer.statusCode())
                .as(new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(status);
        return web.json(answer).get("RemoteException");
    }

    private static JsonNode form(String javaClass, String message) throws Exception {
        return WebHdfsTester.json("{'exception':'" + javaClass.substring(javaClass.lastIndexOf('.') + 1)
                + "','javaClassName':'" + javaClass + "','message':'" + message.replace("\"", "\\'") + "'}");
    }

    @Test
    void anUnknownOperationIs400() throws Exception {
        assertThat(refused(400, web.send("GET", "/", "op=GETFUN")))
                .isEqualTo(form(
                        "java.lang.IllegalArgumentException",
                        "Invalid value for webhdfs parameter \"op\": No enum constant"
                                + " org.apache.hadoop.hdfs.web.resources.GetOpParam.Op.GETFUN"));
    }

    @Test
    void anOperationOfAnotherMethodIs400() throws Exception {
        assertThat(refused(400, web.send("GET", "/", "op=MKDIRS"))
                        .get("message")
                        .asText())
                .endsWith("GetOpParam.Op.MKDIRS");
    }

    @Test
    void noOperationIs400() throws Exception {
        assertThat(refused(400, web.send("GET", "/", "x=y")))
                .isEqualTo(form("java.lang.UnsupportedOperationException", "NULL is not supported"));
    }

    @Test
    void aBadParameterIs400WithHdfssMessage() throws Exception {
        assertThat(refused(400, web.send("PUT", "/x", "op=CREATE&overwrite=perhaps")))
                .isEqualTo(form(
                        "java.lang.IllegalArgumentException",
                        "Invalid value for webhdfs parameter \"overwrite\": Failed to parse \"perhaps\" to Boolean."));
        assertThat(refused(400, web.send("PUT", "/x", "op=MKDIRS&permission=7777")))
                .isEqualTo(form(
                        "java.lang.IllegalArgumentException",
                        "Invalid value for webhdfs parameter \"permission\": Invalid parameter range: permission = 7777"
                                + " > 1777"));
    }

    @Test
    void aMissingParameterIs400() throws Exception {
        assertThat(refused(400, web.send("PUT", "/x", "op=RENAME")))
                .isEqualTo(form(
                        "java.lang.IllegalArgumentException",
                        "Required param destination for op: RENAME is null or empty"));
    }

    @Test
    void aBadPathIs400() throws Exception {
        assertThat(refused(400, web.send("PUT", "/x/.snapshot", "op=MKDIRS"))
                        .get("exception")
                        .asText())
                .isIn("InvalidPathException", "IllegalArgumentException");
    }

    @Test
    void aPathOutsideThePrefixIs404() throws Exception {
        assertThat(refused(404, web.sendRaw("GET", "/webhdfs/v2/?op=LISTSTATUS", new byte[0]))
                        .get("exception")
                        .asText())
                .isEqualTo("FileNotFoundException");
    }

    @Test
    void aMissingUserIs401() throws Exception {
        assertThat(refused(401, web.sendRaw("GET", "/webhdfs/v1/?op=LISTSTATUS", new byte[0]))
                        .get("javaClassName")
                        .asText())
                .isEqualTo("java.lang.SecurityException");
    }

    @Test
    void aUserWhoseNameIsNoneIs400() throws Exception {
        assertThat(refused(400, web.sendRaw("GET", "/webhdfs/v1/?op=LISTSTATUS&user.name=a%20b", new byte[0]))
                        .get("message")
                        .asText())
                .startsWith("Invalid value for webhdfs parameter \"user.name\"");
    }

    @Test
    void twoUsersAre400() throws Exception {
        assertThat(refused(400, web.send("GET", "/", "op=LISTSTATUS&user.name=ann")))
                .isEqualTo(form(
                        "java.lang.IllegalArgumentException",
                        "Invalid value for webhdfs parameter \"user.name\": it is given twice"));
        assertThat(refused(400, web.send("GET", "/", "op=LISTSTATUS&doas=ann&DoAs=bob"))
                        .get("message")
                        .asText())
                .endsWith("it is given twice");
    }

    @Test
    void whatIsNotThereIs404() throws Exception {
        assertThat(refused(404, web.send("GET", "/none", "op=GETFILESTATUS"))
                        .get("javaClassName")
                        .asText())
                .isEqualTo("java.io.FileNotFoundException");
    }

    @Test
    void whatTheUserMayNotIs403() throws Exception {
        assertThat(refused(403, web.sendRaw("PUT", "/webhdfs/v1/x?op=MKDIRS&user.name=bob", new byte[0]))
                        .get("javaClassName")
                        .asText())
                .isEqualTo("org.apache.hadoop.security.AccessControlException");
    }

    @Test
    void aFileThatIsThereIsRefusedInTheFirstStep() throws Exception {
        web.write(web.directory("/there") + "/f", new byte[1]);
        assertThat(refused(403, web.send("PUT", "/there/f", "op=CREATE"))
                        .get("javaClassName")
                        .asText())
                .isEqualTo("org.apache.hadoop.fs.FileAlreadyExistsException");
    }

    @Test
    void anotherMethodIs405() throws Exception {
        HttpResponse<byte[]> answer = web.send("PATCH", "/", "op=LISTSTATUS");
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, PUT, POST, DELETE");
    }

    @Test
    void onlyProxyUsersActForOthers() throws Exception {
        assertThat(refused(
                        403,
                        web.sendRaw("GET", "/webhdfs/v1/?op=GETHOMEDIRECTORY&user.name=bob&doas=ann", new byte[0])))
                .isEqualTo(form(
                        "org.apache.hadoop.security.authorize.AuthorizationException",
                        "User: bob is not allowed to impersonate ann"));
        assertThat(web.json(web.sendRaw("GET", "/webhdfs/v1/?op=GETHOMEDIRECTORY&user.name=hue&doas=ann", new byte[0])))
                .isEqualTo(WebHdfsTester.json("{'Path':'/user/ann'}"));
    }

    @Test
    void anotherHostNameIsRefused() throws Exception {
        assertThat(web.sendText("GET /webhdfs/v1/?op=LISTSTATUS&user.name=" + WebHdfsTester.SUPERUSER
                        + " HTTP/1.1\r\nHost: rebound.example:80\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403")
                .contains("AuthorizationException");
    }

    @Test
    void requestsOfOtherSitesPagesAreRefused() throws Exception {
        assertThat(web.sendText("POST /webhdfs/v1/x?op=TRUNCATE&newlength=0&user.name=" + WebHdfsTester.SUPERUSER
                        + " HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403")
                .contains("AuthorizationException");
    }

    /** Browsers send no Origin with the images and scripts of a page. */
    @Test
    void readsOfOtherSitesPagesAreRefused() throws Exception {
        String read = "GET /webhdfs/v1/?op=GETHOMEDIRECTORY&user.name=" + WebHdfsTester.SUPERUSER
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nSec-Fetch-Site: ";
        assertThat(web.sendText(read + "cross-site\r\n\r\n")).startsWith("HTTP/1.1 403");
        assertThat(web.sendText(read + "none\r\n\r\n")).startsWith("HTTP/1.1 200");
    }

    @Test
    void aUserWhomHadoopCannotNameLeavesNoClient() throws Exception {
        long before = clientThreads();
        for (int i = 0; i < 20; i++) {
            refused(400, web.sendRaw("GET", "/webhdfs/v1/?op=GETHOMEDIRECTORY&user.name=a@b@c" + i, new byte[0]));
        }
        assertThat(clientThreads()).isEqualTo(before);
    }

    private static long clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ecfs-client"))
                .count();
    }

    @Test
    void anUploadThatBreaksOffLeavesNoLease() throws Exception {
        String path = web.directory("/broken") + "/f";
        breakOff("PUT /webhdfs/v1" + path + "?op=CREATE&data=true&user.name=" + WebHdfsTester.SUPERUSER
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n");
        awaitClosed(path);
        assertThat(Await.result(web.client().status(new FilePath(path))).length())
                .isLessThan(10_000_000);
    }

    @Test
    void aChunkedUploadThatBreaksOffLeavesNoLease() throws Exception {
        String path = web.directory("/brokenchunks") + "/f";
        breakOff("PUT /webhdfs/v1" + path + "?op=CREATE&data=true&user.name=" + WebHdfsTester.SUPERUSER
                + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n7a1200\r\n");
        awaitClosed(path);
    }

    private void breakOff(String head) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), web.port())) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[1 << 20]);
        }
    }

    /** Leases of the cluster last a minute: no recovery closes the file before this gives up. */
    private void awaitClosed(String path) {
        await(path + " to be closed").atMost(Duration.ofSeconds(30)).until(() -> {
            Optional<Boolean> open =
                    Await.result(web.client().list(new FilePath(path).parent(), "", 10)).entries().stream()
                            .findFirst()
                            .map(status -> status.open());
            return open.isPresent() && !open.get();
        });
    }
}
